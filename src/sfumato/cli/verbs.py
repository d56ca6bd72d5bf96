"""The verbs of the command ``sfumato``: what help says of each, and the examples under it."""

from __future__ import annotations

from typing import Any

from sfumato.cli.usage import examples

_INIT = "sfumato init patients.csv --unit patient_id --epsilon 3 --ledger ledger.db"
_CERTIFIED = (
    "sfumato query patients.toml 'SELECT COUNT(*) AS n FROM patients' --epsilon 1 "
    "--analyst ada --certificate release.json"
)
_BY_GROUP = (
    "sfumato query patients.csv 'SELECT sex, COUNT(*) FROM patients GROUP BY sex' "
    "--unit patient_id --keys sex=F,M --epsilon 1"
)
_BOOK = "sfumato ledger init visits --epsilon 1 --per year --each-analyst 0.5 --ledger ledger.db"
_SPEND = (
    "sfumato ledger spend visits --epsilon 0.1 --analyst ada --purpose 'by sex' "
    "--receipt receipt.json --ledger ledger.db"
)
_LINK = "sfumato attack link hospital-a.csv --person age=56 --sensitive diagnosis"
_SURVEY = "sfumato survey new exam.toml --question cheated --choices yes,no --truth 2/3"

FIRST_STEPS = examples(
    "sfumato demo hospital",
    "sfumato risk hospital-a.csv --quasi age,sex,zip --sensitive diagnosis",
    _INIT,
    "sfumato query patients.csv 'SELECT COUNT(*) AS n FROM patients' --unit patient_id --epsilon 1",
    "sfumato survey needed --question cheated --choices yes,no --epsilon 1 --within 0.05",
    "sfumato calibrate gaussian --epsilon 1 --delta 1e-6",
)

#: The verbs, each in the module of its name, which is loaded when the verb is asked for.
#: A group's are in the folder of its name; "alone" is what the group's own name does.
VERBS: dict[str, dict[str, Any]] = {
    "init": {"short_help": "Draft the policy of a table.", "epilog": examples(_INIT)},
    "inspect": {
        "short_help": "Count the cells that do not fit a policy.",
        "epilog": examples(
            "sfumato inspect patients.csv --types age=integer --bounds cost=0:20000"
        ),
    },
    "plan": {
        "short_help": "Find the privacy cost and the error of an answer in advance.",
        "epilog": examples(
            "sfumato plan patients.toml 'SELECT COUNT(*) AS n FROM patients' --epsilon 1 "
            "--analyst ada",
            first=[_INIT],
        ),
    },
    "query": {
        "short_help": "Answer SQL about a table of people under differential privacy.",
        "epilog": "\n\n".join([examples(_BY_GROUP), examples(_CERTIFIED, first=[_INIT])]),
    },
    "kmeans": {
        "short_help": "Cluster points by k-means under differential privacy.",
        "epilog": examples(
            "sfumato kmeans shoppers.csv --k 3 --bounds orders=0:80 --bounds basket=0:250 "
            "--unit customer --epsilon 1"
        ),
    },
    "check": {
        "short_help": "Check the certificate of an answer.",
        "epilog": examples(
            "sfumato check release.json --ledger ledger.db", first=[_INIT, _CERTIFIED]
        ),
    },
    "risk": {
        "short_help": "Measure re-identification risk: k, l, t, uniqueness.",
        "epilog": examples("sfumato risk hospital-a.csv --quasi age,sex,zip --sensitive diagnosis"),
    },
    "anonymize": {
        "short_help": "Generalise a table until it is k-anonymous.",
        "epilog": examples(
            "sfumato anonymize hospital-a.csv --quasi age,sex,zip --k 2 --remove name "
            "--output coarser.csv"
        ),
    },
    "entropy": {
        "short_help": "Measure the entropy of columns.",
        "epilog": examples("sfumato entropy hospital-a.csv --columns diagnosis --given age,sex"),
    },
    "divergence": {
        "short_help": "Measure the divergence between two tables.",
        "epilog": examples(
            "sfumato divergence hospital-a-generalised.csv hospital-b-generalised.csv "
            "--columns age,sex"
        ),
    },
    "account": {
        "short_help": "Compose events: the total ε or δ.",
        "epilog": examples("sfumato account events.json --delta 1e-6 --explain"),
    },
    "calibrate": {
        "short_help": "Find the least noise scale that keeps a guarantee.",
        "epilog": examples("sfumato calibrate gaussian --epsilon 1 --delta 1e-6 --sensitivity 2"),
    },
    "verify": {
        "short_help": "Decide from output probabilities whether a claimed ε holds.",
        "epilog": examples("sfumato verify randomized-response.csv --epsilon 'ln(2)'"),
    },
    "audit": {
        "short_help": "Audit a function: a lower bound on its ε.",
        "epilog": examples("sfumato audit mechanisms:laplace --d0 '[0]' --d1 '[1]' --epsilon 1"),
    },
    "theorems": {
        "short_help": "Check the book's theorems.",
        "epilog": examples("sfumato theorems"),
    },
    "completion": {
        "short_help": "Complete what is typed in a shell.",
        "epilog": examples('eval "$(sfumato completion bash)"'),
    },
    "survey": {
        "short_help": "Survey people under local differential privacy.",
        "help": """Survey people under local differential privacy, and estimate from their reports.

    Nobody is trusted with an answer: each person randomises their own before it is sent.""",
        "epilog": examples(_SURVEY),
        "verbs": {
            "new": {
                "short_help": "Write the file that describes a survey.",
                "epilog": examples(_SURVEY),
            },
            "answer": {
                "short_help": "Randomise one person's answers.",
                "epilog": examples("sfumato survey answer class.toml yes"),
            },
            "needed": {
                "short_help": "How many people have to be asked?",
                "epilog": examples("sfumato survey needed class.toml --within 0.05"),
            },
            "simulate": {
                "short_help": "Simulate a survey on people who are made up.",
                "epilog": examples(
                    "sfumato survey simulate class.toml --people 40 --share yes=0.3 "
                    "--out reports.csv"
                ),
            },
            "collect": {
                "short_help": "Estimate shares and means from reports.",
                "epilog": examples("sfumato survey collect class.toml class-reports.csv"),
            },
        },
    },
    "ledger": {
        "short_help": "Keep the privacy budget of each dataset.",
        "help": """Keep the privacy budget of each dataset: a durable account of who spent what
    of it.

    The ledger is a file or a PostgreSQL database: the one that --ledger names, or the variable
    SFUMATO_LEDGER, or ledger.db in your own data folder. Nothing in it is ever changed. It holds
    events, never data.

    What is opened, spent and released is signed, with the key in the file that the variable
    SFUMATO_SIGNING_KEY names, or in your own configuration folder; it is made on first use.""",
        "epilog": examples(_BOOK),
        "verbs": {
            "init": {
                "short_help": "Open the book of a dataset, with its privacy budget.",
                "epilog": examples(_BOOK),
            },
            "show": {
                "short_help": "Show the budget left, and the last charges.",
                "epilog": examples("sfumato ledger show visits --ledger ledger.db", first=[_BOOK]),
            },
            "spend": {
                "short_help": "Charge for a release that is made elsewhere.",
                "epilog": examples(_SPEND, first=[_BOOK]),
            },
            "verify": {
                "short_help": "Verify hashes, signatures and sums.",
                "epilog": examples(
                    "sfumato ledger verify --receipt receipt.json --ledger ledger.db",
                    first=[_BOOK, _SPEND],
                ),
            },
            "export": {
                "short_help": "Write out every entry.",
                "epilog": examples(
                    "sfumato ledger export visits --format csv --output spent.csv "
                    "--ledger ledger.db",
                    first=[_BOOK],
                ),
            },
            "recover": {
                "short_help": "List orphans: charges without a recorded answer.",
                "epilog": examples(
                    "sfumato ledger recover visits --ledger ledger.db", first=[_BOOK]
                ),
            },
        },
    },
    "attack": {
        "short_help": "Attack what is published: linkage, differencing, membership, …",
        "help": """Attack what is published, as anybody could, and see what it gives away.

    What comes out is exact, not private: it is for the owner of the data.""",
        "epilog": examples(_LINK),
        "verbs": {
            "link": {
                "short_help": "Linkage attack: whom does background knowledge re-identify?",
                "epilog": examples(_LINK),
            },
            "intersect": {
                "short_help": "Intersection attack: what do several releases give away?",
                "epilog": examples(
                    "sfumato attack intersect hospital-a-generalised.csv "
                    "hospital-b-generalised.csv --on age,sex,zip --sensitive diagnosis"
                ),
            },
            "scoreboard": {
                "short_help": "Linkage attack on sparse records, by a few facts.",
                "epilog": examples(
                    "sfumato attack scoreboard ratings.csv --known known-ratings.csv --person user "
                    "--item film --rating stars --day date"
                ),
            },
            "homogeneity": {
                "short_help": "Homogeneity attack: which equivalence classes share a value?",
                "epilog": examples(
                    "sfumato attack homogeneity hospital-a-generalised.csv --quasi age,sex "
                    "--sensitive diagnosis"
                ),
            },
            "reconstruct": {
                "short_help": "Reconstruction attack: a column from many answers.",
                "epilog": examples(
                    "sfumato attack reconstruct patients.csv --column smoker=yes --epsilon 1"
                ),
            },
            "difference": {
                "short_help": "Differencing attack: small groups from exact totals.",
                "epilog": examples(
                    "sfumato attack difference staff.csv --publish department "
                    "--publish department,sex --value salary --hide-below 5"
                ),
            },
            "membership": {
                "short_help": "Membership-inference attack on a model.",
                "epilog": examples(
                    "sfumato attack membership models:noisy_counts --data models:PEOPLE --epsilon 1"
                ),
            },
            "extraction": {
                "short_help": "Extraction attack: which training texts come back word for word?",
                "epilog": examples(
                    "sfumato attack extraction newspaper:plain --texts newspaper:LETTERS "
                    "--controls newspaper:UNSEEN"
                ),
            },
        },
    },
    "demo": {
        "short_help": "See it done, in three minutes.",
        "epilog": examples("sfumato demo", "sfumato demo hospital"),
        "alone": "tour",
        "verbs": {
            "hospital": {
                "short_help": "The textbook's two hospitals, in a minute.",
                "epilog": examples("sfumato demo hospital --folder hospital"),
            },
        },
    },
}
