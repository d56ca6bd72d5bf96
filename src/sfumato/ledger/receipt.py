"""Receipts: what was written in a book and signed, to be checked without the book or the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from sfumato.documents import read_json
from sfumato.errors import InputError
from sfumato.ledger.entry import Entry, canonical, digest_of
from sfumato.ledger.signer import check_public, fingerprint_of, verify_signature
from sfumato.refusal import printable
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.privacy.events import Event

#: The longest text that is read as a receipt.
MOST_CHARACTERS = 1_000_000

_VERSION = 1
_KIND = "sfumato receipt"
_SALT = b"sfumato receipt 1\n"
_WANTED = "give what to_json wrote"
_NOT_OURS = (mark("the text is not a receipt of sfumato"), _WANTED)


@dataclass(frozen=True, repr=False)
class Receipt:
    """What was charged, what was released for it where that is recorded, and a signature.

    The signature covers the hash of the last entry.  That hash commits to the signer and to the
    whole book up to there, and a release commits to its charge.

    Attributes
    ----------
    entries
        A spending, which is the charge of a release made elsewhere; or a charge and its release.
    signer
        The public key of the host that signed.
    signature
        In hexadecimal digits.

    Examples
    --------
    >>> import tempfile
    >>> import sfumato as sf
    >>> from sfumato.ledger.entry import Entry, event_document
    >>> from sfumato.ledger import Receipt, Signer
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     signer = Signer.at(f"{folder}/key.pem")
    >>> spending = Entry.placed(
    ...     {"kind": "spending", "receipt": "0f" * 16, "request": None, "analyst": "ana",
    ...      "event": event_document(sf.privacy.events.Laplace(scale=10)),
    ...      "purpose": "how many patients", "signer": signer.public},
    ...     ledger="4f6c", dataset="patients", sequence=2, previous="0" * 64,
    ...     when="2026-11-15T09:00:00.000000Z",
    ... )
    >>> signature = signer.sign(signed_message(spending.hash))
    >>> receipt = Receipt((spending,), signer.public, signature)
    >>> print(str(receipt).replace(receipt.fingerprint, "ed25519:..."))
    receipt 0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f
      where    entry 2 of patients, ledger 4f6c
      event    Laplace noise of scale 10 on sensitivity 1
      analyst  ana
      purpose  how many patients
      when     2026-11-15T09:00:00.000000Z
      result   released elsewhere, its digest is not recorded
      signed   by ed25519:...
    >>> Receipt.from_json(receipt.to_json()) == receipt
    True
    >>> receipt.problems()
    ()
    """

    entries: tuple[Entry, ...]
    signer: str
    signature: str

    @classmethod
    def from_json(cls, text: str) -> Receipt:
        """Return the receipt that ``to_json`` wrote; whether it is sound, ``problems`` tells.

        Examples
        --------
        >>> from sfumato.ledger import Receipt
        >>> Receipt.from_json("[]")
        Traceback (most recent call last):
            ...
        sfumato.errors.InputError: the text is not a receipt of sfumato; give what to_json wrote
        """
        document = _document(text)
        entries = tuple(Entry(each) for each in document["entries"])
        for problem in malformations(entries):
            raise InputError(
                "E-RECEIPT-FORM", "the receipt cannot be read: {problem}", problem=problem
            )
        check_public(document["signer"])
        receipt = cls(entries, document["signer"], document["signature"])
        if receipt.to_json() != text.strip():
            raise InputError(
                "E-RECEIPT-FORM",
                "the receipt is not in the form in which sfumato writes it",
                _WANTED,
            )
        return receipt

    def to_json(self) -> str:
        """Return the receipt as text; the same receipt is always the same text.

        Examples
        --------
        >>> from sfumato.ledger import Receipt
        >>> Receipt((), signer="5eed", signature="51").to_json()
        '{"entries":[],"kind":"sfumato receipt","signature":"51","signer":"5eed","version":1}'
        """
        return canonical(
            {
                "version": _VERSION,
                "kind": _KIND,
                "entries": [each.text for each in self.entries],
                "signer": self.signer,
                "signature": self.signature,
            }
        )

    def problems(
        self, *, signer: str | None = None, content: bytes | None = None
    ) -> tuple[str, ...]:
        """Return what is wrong with the receipt, in sentences; none if it is sound.

        Anybody can make a sound receipt with a key of their own: give the key that you trust.

        Parameters
        ----------
        signer
            The public key that should have signed; None to take the receipt's word for it.
        content
            What was released, to be compared with the digest; None to leave it out.

        Examples
        --------
        >>> from sfumato.ledger import Receipt
        >>> Receipt((), signer="5eed", signature="51").problems()
        ('a receipt holds a spending, or a charge and its release, and nothing else',)
        """
        _check_expected(signer, content)
        malformed = malformations(self.entries)
        if malformed:
            return malformed
        wrong = [*disagreements(self.entries, self.signer)]
        if not verify_signature(self.signer, signed_message(self.hash), self.signature):
            wrong.append(tr("the signature is not of this receipt: something in it was changed"))
        if signer not in (None, self.signer):
            wrong.append(tr("the receipt is signed by another key than the one expected"))
        if content is not None:
            wrong += _differences(content, self.digest)
        return tuple(wrong)

    @property
    def id(self) -> str:
        """The name of the charge, which its release carries too.

        Examples
        --------
        >>> from sfumato.ledger import Entry, Receipt
        >>> Receipt((Entry('{"receipt":"0f0f"}'),), signer="", signature="").id
        '0f0f'
        """
        return str(self.entries[0].body["receipt"])

    @property
    def ledger(self) -> str:
        """The ledger that the book is in, by its id.

        Examples
        --------
        >>> from sfumato.ledger import Entry, Receipt
        >>> Receipt((Entry('{"ledger":"4f6c"}'),), signer="", signature="").ledger
        '4f6c'
        """
        return self.entries[0].ledger

    @property
    def dataset(self) -> str:
        """The book that was charged.

        Examples
        --------
        >>> from sfumato.ledger import Entry, Receipt
        >>> Receipt((Entry('{"dataset":"patients"}'),), signer="", signature="").dataset
        'patients'
        """
        return self.entries[0].dataset

    @property
    def sequence(self) -> int:
        """The place of the last entry in the book.

        Examples
        --------
        >>> from sfumato.ledger import Entry, Receipt
        >>> Receipt((Entry('{"sequence":2}'),), signer="", signature="").sequence
        2
        """
        return self.entries[-1].sequence

    @property
    def hash(self) -> str:
        """The hash of the last entry, by which a ledger shows that it still has it.

        Examples
        --------
        >>> from sfumato.ledger import Entry, Receipt
        >>> entry = Entry('{"sequence":2}')
        >>> Receipt((entry,), signer="", signature="").hash == entry.hash
        True
        """
        return self.entries[-1].hash

    @property
    def event(self) -> Event:
        """What was done, by its public parameters.

        Examples
        --------
        >>> from sfumato.ledger import Entry, Receipt
        >>> event = '{"version":1,"events":[{"event":"pure","epsilon":"0.1"}]}'
        >>> Receipt((Entry(f'{{"event":{event}}}'),), signer="", signature="").event
        Pure(epsilon=0.1)
        """
        return cast("Event", self.entries[0].event)

    @property
    def analyst(self) -> str:
        """Who asked.

        Examples
        --------
        >>> from sfumato.ledger import Entry, Receipt
        >>> Receipt((Entry('{"analyst":"ana"}'),), signer="", signature="").analyst
        'ana'
        """
        return str(self.entries[0].body["analyst"])

    @property
    def purpose(self) -> str:
        """What for, in the analyst's words.

        Examples
        --------
        >>> from sfumato.ledger import Entry, Receipt
        >>> Receipt((Entry('{"purpose":"how many"}'),), signer="", signature="").purpose
        'how many'
        """
        return str(self.entries[0].body["purpose"])

    @property
    def when(self) -> str:
        """The moment of the last entry, in UTC.

        Examples
        --------
        >>> from sfumato.ledger import Entry, Receipt
        >>> entry = Entry('{"when":"2026-11-15T09:00:00.000000Z"}')
        >>> Receipt((entry,), signer="", signature="").when
        '2026-11-15T09:00:00.000000Z'
        """
        return self.entries[-1].when

    @property
    def digest(self) -> str | None:
        """The SHA-256 of what was released; None if that was elsewhere.

        Examples
        --------
        >>> from sfumato.ledger import Entry, Receipt
        >>> Receipt((Entry("{}"), Entry('{"digest":"7347"}')), signer="", signature="").digest
        '7347'
        """
        return str(self.entries[1].body["digest"]) if len(self.entries) > 1 else None

    @property
    def fingerprint(self) -> str:
        """The public key of the signer in short, for people.

        Examples
        --------
        >>> from sfumato.ledger import Receipt
        >>> Receipt((), signer="00" * 32, signature="").fingerprint
        'ed25519:66687aadf862bd77'
        """
        return fingerprint_of(self.signer)

    def __str__(self) -> str:
        lines = [
            f"receipt {self.id}",
            f"  where    entry {self.sequence:,} of {self.dataset}, ledger {self.ledger}",
            f"  event    {self.event.describe()}",
            f"  analyst  {self.analyst}",
            f"  purpose  {self.purpose}",
            f"  when     {self.when}",
            f"  result   {self._result()}",
            f"  signed   by {self.fingerprint}",
            *(f"  BROKEN   {problem}" for problem in self.problems()),
        ]
        return "\n".join(printable(line) for line in lines)

    def _result(self) -> str:
        if self.digest is None:
            return tr("released elsewhere, its digest is not recorded")
        return tr(
            "{body:,} bytes of SHA-256 {digest}",
            body=self.entries[1].body["size"],
            digest=self.digest,
        )

    def __repr__(self) -> str:
        return printable(f"<receipt {self.id}: entry {self.sequence:,} of {self.dataset}>")


def signed_message(entry_hash: str) -> bytes:
    """Return what is signed of an entry: its hash, and that it is for a receipt."""
    return _SALT + entry_hash.encode()


def _check_expected(signer: Any, content: Any) -> None:
    if signer is not None:
        check_public(signer)
    if content is not None and not isinstance(content, bytes):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "what was released is bytes, not {kind}",
            "read it as bytes",
            kind=type(content).__name__,
        )


def _document(text: Any) -> dict[str, Any]:
    """Return the fields of a receipt's text, each of the right type."""
    if isinstance(text, str) and len(text) > MOST_CHARACTERS:
        raise InputError(
            "E-TOO-LARGE",
            "a receipt has at most {most_characters:,} characters, this is longer",
            _WANTED,
            most_characters=MOST_CHARACTERS,
        )
    document = read_json(text)
    if not isinstance(document, dict) or document.get("kind") != _KIND:
        raise InputError("E-RECEIPT-FORM", *_NOT_OURS)
    if document.get("version") != _VERSION:
        raise InputError(
            "E-FORMAT-VERSION",
            "the receipt is of another version than {version}, which this program reads",
            "install a newer sfumato",
            version=_VERSION,
        )
    if not _is_whole(document):
        raise InputError("E-RECEIPT-FORM", *_NOT_OURS)
    return document


def _is_whole(document: dict[str, Any]) -> bool:
    entries = document.get("entries")
    texts = [*entries] if isinstance(entries, list) else [None]
    texts += [document.get("signer"), document.get("signature")]
    return all(isinstance(each, str) for each in texts)


def _differences(content: bytes, digest: str | None) -> Iterator[str]:
    if digest is None:
        yield tr("what was released cannot be compared: the receipt does not record its digest")
    elif digest_of(content) != digest:
        yield tr("what was released is not what the receipt records: their digests differ")


_HOLDS = mark("a receipt holds a spending, or a charge and its release, and nothing else")
_KINDS = (["spending"], ["charge", "release"])


def malformations(entries: tuple[Entry, ...]) -> tuple[str, ...]:
    """Say what keeps entries from being read as those of a receipt."""
    try:
        kinds = [_checked_kind(each) for each in entries]
    except InputError as error:
        return (str(error),)
    return () if kinds in _KINDS else (tr(_HOLDS),)


def disagreements(entries: tuple[Entry, ...], signer: str) -> tuple[str, ...]:
    """Say in what well-formed entries do not belong together, or to their signer."""
    wrong = [*_mismatches(*entries)] if len(entries) > 1 else []
    if entries[-1].body["signer"] != signer:
        wrong.append(tr("the receipt is signed by another key than its entry names"))
    return tuple(wrong)


def _mismatches(charge: Entry, release: Entry) -> Iterator[str]:
    made = release.body
    if (release.ledger, release.dataset) != (charge.ledger, charge.dataset):
        yield tr("the release is in another book than the charge")
    if made["receipt"] != charge.body["receipt"]:
        yield tr("the release carries the id of another receipt")
    if made["settles"] != charge.sequence:
        yield tr("the release is for another charge")
    elif made["charge"] != charge.hash:
        yield tr("the text of the charge was changed after the release for it")
    elif release.sequence == charge.sequence + 1 and release.previous != charge.hash:
        yield tr("the release does not follow the charge that it stands after")
    if release.sequence <= charge.sequence:
        yield tr("the release stands before the charge")


def _checked_kind(entry: Any) -> str:
    if not isinstance(entry, Entry):
        raise InputError("E-RECEIPT-FORM", _HOLDS)
    entry.check()
    return entry.kind
