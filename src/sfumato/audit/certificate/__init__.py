"""Is a certificate true: what it says derived again, from what was declared and asked alone.

Nothing here plans or runs a query: what a step may cost, what one person can move, and how an
answer is made of what was released is derived from the mathematics, and compared.
"""

from sfumato.audit.certificate.check import (
    CertificateVerdict,
    certificate_schema,
    check_certificate,
)

__all__ = ["CertificateVerdict", "certificate_schema", "check_certificate"]
