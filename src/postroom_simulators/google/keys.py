"""The signing key of the simulated Google, as JWT, as certificate and as JWKS."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cache, cached_property
from typing import Any

import jwt
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID
from jwt.algorithms import RSAAlgorithm

ISSUER = "https://accounts.google.com"
_LIFE = 3600


@cache
def _key_of_this_process() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


class GoogleSigningKey:
    """One RSA key for all of this process, made on first use.

    Tokens carry real time, not the simulated one: whoever verifies them lives in real time.
    """

    def __init__(self, real_time: Callable[[], float] = time.time) -> None:
        self.real_time = real_time
        self.kid = "postroom-simulator-1"

    @property
    def _private(self) -> rsa.RSAPrivateKey:
        return _key_of_this_process()

    @cached_property
    def certificates(self) -> dict[str, str]:
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "simulated.google.test")])
        certificate = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(self._private.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(datetime(2020, 1, 1, tzinfo=UTC))
            .not_valid_after(datetime(2049, 12, 31, tzinfo=UTC))
            .sign(self._private, hashes.SHA256())
        )
        return {self.kid: certificate.public_bytes(serialization.Encoding.PEM).decode()}

    @cached_property
    def jwks(self) -> dict[str, Any]:
        key = RSAAlgorithm.to_jwk(self._private.public_key(), as_dict=True)
        return {"keys": [key | {"kid": self.kid, "alg": "RS256", "use": "sig"}]}

    def sign(self, claims: Mapping[str, Any], *, age: float = 0) -> str:
        """A JWT of one hour; `age` makes it that much older."""
        issued = int(self.real_time() - age)
        stamped = {"iss": ISSUER, "iat": issued, "exp": issued + _LIFE, **claims}
        return jwt.encode(stamped, self._private, algorithm="RS256", headers={"kid": self.kid})
