"""Notifications that carry the message: sealed for the holder of a certificate."""

from __future__ import annotations

import base64
import os
from dataclasses import dataclass
from typing import Any

import msgspec
from cryptography import x509
from cryptography.hazmat.primitives import hashes, hmac
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.padding import PKCS7

PUBLISHER = "0bf30f3b-4a52-48df-9a82-234910c4a086"  # the app that Graph's change tracking signs as


@dataclass(frozen=True, slots=True)
class ResourceDataLock:
    """The client's public key, by the client's name for it."""

    key: rsa.RSAPublicKey
    certificate_id: str
    thumbprint: str

    @classmethod
    def read(cls, certificate: str, certificate_id: str) -> ResourceDataLock:
        """From base64 DER or PEM; raises ValueError for anything but an RSA certificate of 2048 to 4096 bits."""
        data = base64.b64decode("".join(certificate.split()), validate=True)
        if data.startswith(b"-----BEGIN"):
            found = x509.load_pem_x509_certificate(data)
        else:
            found = x509.load_der_x509_certificate(data)
        key = found.public_key()
        if not isinstance(key, rsa.RSAPublicKey) or not 2048 <= key.key_size <= 4096:
            raise ValueError("it must hold an RSA key of 2048 to 4096 bits")
        return cls(key, certificate_id, found.fingerprint(hashes.SHA1()).hex().upper())  # noqa: S303 - a name, not a proof

    def seal(self, content: dict[str, Any]) -> dict[str, str]:
        """AES under a fresh key, that key under RSA, and an HMAC over what was encrypted."""
        secret = os.urandom(32)
        filled = PKCS7(128).padder()
        plain = filled.update(msgspec.json.encode(content)) + filled.finalize()
        cipher = Cipher(algorithms.AES(secret), modes.CBC(secret[:16])).encryptor()
        data = cipher.update(plain) + cipher.finalize()
        signed = hmac.HMAC(secret, hashes.SHA256())
        signed.update(data)
        oaep = padding.OAEP(padding.MGF1(hashes.SHA1()), hashes.SHA1(), None)  # noqa: S303 - what the protocol says
        return {
            "data": base64.b64encode(data).decode(),
            "dataSignature": base64.b64encode(signed.finalize()).decode(),
            "dataKey": base64.b64encode(self.key.encrypt(secret, oaep)).decode(),
            "encryptionCertificateId": self.certificate_id,
            "encryptionCertificateThumbprint": self.thumbprint,
        }


def proof_claims(app: str, tenant: str, now: float) -> dict[str, Any]:
    """What the token beside a rich notification says: that Graph sent it, to this app."""
    return {
        "aud": app,
        "iss": f"https://sts.windows.net/{tenant}/",
        "iat": int(now),
        "nbf": int(now),
        "exp": int(now) + 3600,
        "appid": PUBLISHER,
        "tid": tenant,
        "ver": "1.0",
    }
