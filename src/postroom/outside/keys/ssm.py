"""Tokens in AWS Systems Manager Parameter Store, one SecureString per mailbox."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from postroom.nouns.errors import BadRequest, Misconfigured, PermissionDenied, PostroomError, Throttled, Unavailable
from postroom.nouns.ids import MailboxId, TenantId
from postroom.nouns.tokens import TokenSet, TokenStore

PATH = "/postroom/{tenant}/{mailbox}/tokens"
# https://docs.aws.amazon.com/systems-manager/latest/userguide/parameter-store-advanced-parameters.html
STANDARD_BYTES, ADVANCED_BYTES = 4096, 8192
_THROTTLED = ("ThrottlingException", "Throttling", "TooManyUpdates", "RequestLimitExceeded", "TooManyRequestsException")
_DENIED = (
    "AccessDeniedException", "AccessDenied", "ExpiredTokenException", "ExpiredToken", "UnrecognizedClientException",
    "InvalidClientTokenId", "InvalidSignatureException", "IncompleteSignature", "MissingAuthenticationToken",
)  # fmt: skip
_TO_CORRECT = ("InvalidKeyId", "ParameterLimitExceeded", "ParameterMaxVersionLimitExceeded")


class ParameterStore:
    """A TokenStore. AWS encrypts with the account's key for SSM, or with the KMS key named here."""

    def __init__(self, client: Any, *, path: str = PATH, kms_key: str | None = None) -> None:
        if not path.startswith("/") or "{tenant}" not in path or "{mailbox}" not in path:
            raise Misconfigured(f"The SSM path {path!r} must start with / and name {{tenant}} and {{mailbox}}.")
        self._client = client
        self._path = path
        self._encryption = {"KeyId": kms_key} if kms_key else {}

    async def get(self, tenant: TenantId, mailbox: MailboxId) -> TokenSet | None:
        found = await self._ask(self._client.get_parameter, Name=self._name(tenant, mailbox), WithDecryption=True)
        return None if found is None else TokenSet.from_bytes(found["Parameter"]["Value"].encode())

    async def put(self, tenant: TenantId, mailbox: MailboxId, tokens: TokenSet) -> None:
        value = tokens.to_bytes()
        await self._ask(
            self._client.put_parameter,
            Name=self._name(tenant, mailbox),
            Value=value.decode(),
            Type="SecureString",
            Tier=tier_for(len(value)),
            Overwrite=True,
            **self._encryption,
        )

    async def remove(self, tenant: TenantId, mailbox: MailboxId) -> None:
        await self._ask(self._client.delete_parameter, Name=self._name(tenant, mailbox))

    def _name(self, tenant: TenantId, mailbox: MailboxId) -> str:
        return self._path.replace("{tenant}", _segment(tenant)).replace("{mailbox}", _segment(mailbox))

    async def _ask(self, call: Callable[..., Mapping[str, Any]], **arguments: Any) -> Mapping[str, Any] | None:
        """None when there is no such parameter."""

        def work() -> Mapping[str, Any] | None:
            with _told():
                try:
                    return call(**arguments)
                except self._client.exceptions.ParameterNotFound:
                    return None

        return await asyncio.to_thread(work)


def open_parameter_store(options: Mapping[str, str], *, path: str = PATH, kms_key: str | None = None) -> TokenStore:
    """`options` are environment names (AWS_REGION, AWS_ACCESS_KEY_ID, …); what is missing boto3 looks for itself."""
    try:
        import boto3
        from botocore.config import Config
        from botocore.exceptions import BotoCoreError
    except ImportError as error:
        raise Misconfigured("SSM needs boto3: pip install 'postroom[aws]'.") from error
    endpoint = options.get("AWS_ENDPOINT_URL_SSM") or options.get("AWS_ENDPOINT_URL")
    if endpoint and not _is_private(endpoint):
        raise Misconfigured("The SSM endpoint must start with https://: plain http is for loopback only.")
    try:
        client = boto3.client(
            "ssm",
            region_name=options.get("AWS_REGION") or options.get("AWS_DEFAULT_REGION"),
            endpoint_url=endpoint,
            aws_access_key_id=options.get("AWS_ACCESS_KEY_ID"),
            aws_secret_access_key=options.get("AWS_SECRET_ACCESS_KEY"),
            aws_session_token=options.get("AWS_SESSION_TOKEN"),
            # Trying again is the engine's work.
            config=Config(retries={"total_max_attempts": 1}, connect_timeout=5, read_timeout=15),
        )
    except (BotoCoreError, ValueError) as error:
        raise Misconfigured(f"SSM cannot be opened: {error} Set AWS_REGION and the credentials.") from error
    return ParameterStore(client, path=path, kms_key=kms_key)


def _is_private(endpoint: str) -> bool:
    parts = urlsplit(endpoint)
    return parts.scheme == "https" or parts.hostname in ("127.0.0.1", "::1", "localhost")


def tier_for(size: int) -> str:
    """The cheapest that holds it. A parameter never moves down a tier, so for small ones AWS itself chooses."""
    if size > ADVANCED_BYTES:
        raise BadRequest(f"The tokens take {size} bytes and SSM holds {ADVANCED_BYTES}: use the database's store.")
    return "Advanced" if size > STANDARD_BYTES else "Intelligent-Tiering"


def _segment(value: object) -> str:
    """Letters, digits, - and _ stay; all else is spelt in hex after a dot, as names in SSM allow little."""
    plain = str(value)
    if not plain:
        raise BadRequest("A tenant or mailbox without a name has no tokens.")
    return "".join(char if char.isascii() and (char.isalnum() or char in "-_") else _spelt(char) for char in plain)


def _spelt(char: str) -> str:
    return "".join(f".{byte:02x}" for byte in char.encode())


@contextmanager
def _told() -> Iterator[None]:
    from botocore.exceptions import BotoCoreError, ClientError, NoCredentialsError

    try:
        yield
    except ClientError as error:
        raise _ours(error.response) from None
    except NoCredentialsError:
        raise Misconfigured("SSM needs AWS credentials: set AWS_ACCESS_KEY_ID and its secret, or a role.") from None
    except BotoCoreError as error:
        raise Unavailable(f"SSM cannot be reached ({type(error).__name__}).") from None


def _ours(answer: Mapping[str, Any]) -> PostroomError:
    code = str(answer.get("Error", {}).get("Code", "?"))[:60]
    status = int(answer.get("ResponseMetadata", {}).get("HTTPStatusCode", 0))
    if code in _THROTTLED or status == 429:
        return Throttled(f"SSM asks us to slow down ({code}).")
    if code in _DENIED or status in (401, 403):
        return PermissionDenied(f"SSM refuses us ({code}): allow ssm:GetParameter, PutParameter and DeleteParameter.")
    if code in _TO_CORRECT:
        return Misconfigured(f"SSM cannot keep the tokens ({code}): correct the KMS key, path or quota.")
    if status >= 500:
        return Unavailable(f"SSM is not available ({code}).")
    return BadRequest(f"SSM does not accept the request ({code}).")
