"""The verbs a person would say, shared by every front end."""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.application import demo, learning, risk, survey
    from sfumato.application.accounting import account_events, calibrate_noise
    from sfumato.application.auditing import audit_target, check_theorems, verify_table
    from sfumato.application.certificates.checking import CertificateReport, check
    from sfumato.application.certificates.files import CertificateFile, certificate_file
    from sfumato.application.codes import CodeReport, code_columns
    from sfumato.application.information import (
        DivergenceReport,
        EntropyReport,
        measure_divergence,
        measure_entropy,
    )
    from sfumato.application.ledger.export import export_ledger, export_to_file
    from sfumato.application.ledger.listing import list_books
    from sfumato.application.ledger.opening import (
        Kind,
        OpeningReport,
        open_book,
        read_cost,
        read_kind,
    )
    from sfumato.application.ledger.receipts import ReceiptsReport, check_spared, verify_receipts
    from sfumato.application.ledger.recovery import close_orphan, list_orphans
    from sfumato.application.ledger.showing import draw_ledger, show_book
    from sfumato.application.ledger.spending import spend
    from sfumato.application.ledger.verifying import VerificationReport, verify_ledger
    from sfumato.application.report import ExactReport, put_page, without_pictures
    from sfumato.application.risk.anonymization import anonymize_file, read_hierarchies
    from sfumato.application.risk.extraction import extract_target
    from sfumato.application.risk.membership import attack_scores, attack_target
    from sfumato.application.risk.reconstruction import attack_column
    from sfumato.application.tables.answers import (
        AnswerReport,
        check_output,
        check_spares,
        write_answer,
    )
    from sfumato.application.tables.drafts import (
        DraftReport,
        Told,
        check_amount,
        check_unit,
        columns_of,
        draft_to_file,
    )
    from sfumato.application.tables.policy_book import named_after, open_policy_book
    from sfumato.application.tables.questions import answer_question, inspect, plan_question
    from sfumato.audit.certificate import certificate_schema
    from sfumato.charts import check_picture, save
    from sfumato.data import check_folder, check_reachable, is_same_file
    from sfumato.numeric import any_float, rational, whole

__all__ = [
    "CertificateReport",
    "CodeReport",
    "DivergenceReport",
    "EntropyReport",
    "ExactReport",
    "check",
    "code_columns",
    "inspect",
    "measure_divergence",
    "measure_entropy",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = door(
        __name__,
        {
            "accounting": "account_events calibrate_noise",
            "auditing": "audit_target check_theorems verify_table",
            "certificates.checking": "CertificateReport check",
            "certificates.files": "CertificateFile certificate_file",
            "demo": "",
            "codes": "CodeReport code_columns",
            "information": "DivergenceReport EntropyReport measure_divergence measure_entropy",
            "learning": "",
            "ledger.export": "export_ledger export_to_file",
            "ledger.listing": "list_books",
            "ledger.opening": "Kind OpeningReport open_book read_cost read_kind",
            "ledger.receipts": "ReceiptsReport check_spared verify_receipts",
            "ledger.recovery": "close_orphan list_orphans",
            "ledger.showing": "draw_ledger show_book",
            "ledger.spending": "spend",
            "ledger.verifying": "VerificationReport verify_ledger",
            "report": "ExactReport put_page without_pictures",
            "risk": "",
            "risk.anonymization": "anonymize_file read_hierarchies",
            "risk.extraction": "extract_target",
            "risk.membership": "attack_scores attack_target",
            "risk.reconstruction": "attack_column",
            "survey": "",
            "tables.answers": "AnswerReport check_output check_spares write_answer",
            "tables.questions": "answer_question inspect plan_question",
            "tables.policy_book": "named_after open_policy_book",
            "tables.drafts": ("DraftReport Told check_amount check_unit columns_of draft_to_file"),
            "sfumato.audit.certificate": "certificate_schema",
            "sfumato.charts": "check_picture save",
            "sfumato.data": "check_folder check_reachable is_same_file",
            "sfumato.numeric": "any_float rational whole",
        },
    )
