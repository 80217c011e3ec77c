"""The archive on S3 or Azure Blob Storage, through obstore."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Self, cast
from urllib.parse import unquote

from obstore.exceptions import AlreadyExistsError, BaseError, PermissionDeniedError, UnauthenticatedError
from obstore.store import AzureStore, S3Store

from postroom.nouns.errors import (
    BadRequest,
    Misconfigured,
    NotFound,
    PermissionDenied,
    PostroomError,
    Throttled,
    TimedOut,
    Unavailable,
)
from postroom.outside.blobs.port import Blob, acceptable, segments
from postroom.outside.blobs.urls import is_plain_loopback

if TYPE_CHECKING:  # obstore has them for type checkers only
    from obstore.store import AzureConfig, ClientConfig, RetryConfig, S3Config

# The conventional names; app-wide ones such as AWS_PROFILE mean nothing to obstore and are left out.
_S3_OPTIONS = {
    "AWS_ACCESS_KEY_ID": "access_key_id",
    "AWS_SECRET_ACCESS_KEY": "secret_access_key",
    "AWS_SESSION_TOKEN": "session_token",
    "AWS_DEFAULT_REGION": "region",
    "AWS_REGION": "region",
    "AWS_ENDPOINT_URL": "endpoint",
    "AWS_ENDPOINT_URL_S3": "endpoint",
    "AWS_WEB_IDENTITY_TOKEN_FILE": "web_identity_token_file",
    "AWS_ROLE_ARN": "role_arn",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "container_credentials_relative_uri",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI": "container_credentials_full_uri",
    "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": "container_authorization_token_file",
    "AWS_SERVER_SIDE_ENCRYPTION": "server_side_encryption",
    "AWS_SSE_KMS_KEY_ID": "sse_kms_key_id",
}
_AZURE_OPTIONS = {
    "AZURE_STORAGE_ACCOUNT_NAME": "account_name",
    "AZURE_STORAGE_ACCOUNT_KEY": "account_key",
    "AZURE_STORAGE_SAS_TOKEN": "sas_key",
    "AZURE_STORAGE_ENDPOINT": "endpoint",
    "AZURE_TENANT_ID": "tenant_id",
    "AZURE_CLIENT_ID": "client_id",
    "AZURE_CLIENT_SECRET": "client_secret",
    "AZURE_FEDERATED_TOKEN_FILE": "federated_token_file",
}
_NO_RETRY: RetryConfig = {"max_retries": 0}
_STATUS = re.compile(r"status code: (\d{3})")
_CODE = re.compile(r"<Code>(\w{1,60})</Code>")


def open_s3(bucket: str, prefix: str, options: Mapping[str, str]) -> BucketBlobs:
    chosen = _chosen(options, _S3_OPTIONS)
    store = S3Store(
        bucket,
        prefix=prefix or None,
        config=cast("S3Config", chosen),
        client_options=_client(chosen),
        retry_config=_NO_RETRY,
    )
    return BucketBlobs(store, f"The S3 bucket {bucket!r}", "-")


def open_azure(container: str, prefix: str, options: Mapping[str, str]) -> BucketBlobs:
    chosen = _chosen(options, _AZURE_OPTIONS)
    if not chosen.get("account_name"):
        raise Misconfigured("An az:// archive needs AZURE_STORAGE_ACCOUNT_NAME: the storage account's name.")
    store = AzureStore(
        container,
        prefix=prefix or None,
        config=cast("AzureConfig", chosen),
        client_options=_client(chosen),
        retry_config=_NO_RETRY,
    )
    # Azure takes C# identifiers only: https://learn.microsoft.com/azure/storage/blobs/storage-blob-container-properties-metadata
    return BucketBlobs(store, f"The Azure container {container!r}", "_")


def _chosen(options: Mapping[str, str], known: Mapping[str, str]) -> dict[str, str]:
    return {ours: options[name] for name, ours in known.items() if options.get(name)}


def _client(config: Mapping[str, str]) -> ClientConfig:
    return {
        "allow_http": is_plain_loopback(config.get("endpoint", "")),
        "connect_timeout": timedelta(seconds=10),
        "timeout": timedelta(seconds=120),
    }


class BucketBlobs:
    """`joint` is what this store allows between the words of a metadata name."""

    def __init__(self, store: S3Store | AzureStore, name: str, joint: str) -> None:
        self._store = store
        self._name = name
        self._joint = joint

    async def put_if_absent(self, key: str, data: bytes, metadata: Mapping[str, str], content_type: str) -> bool:
        labels = acceptable(key, metadata, content_type)
        attributes = {name.replace("-", self._joint): value for name, value in labels.items()}
        attributes["Content-Type"] = content_type
        with self._told(key, missing=Misconfigured):
            try:
                # One request: parts could not be made to depend on the key being free.
                await self._store.put_async(key, data, attributes=attributes, mode="create", use_multipart=False)
            except AlreadyExistsError as error:
                if "ConditionalRequestConflict" in str(error):
                    raise Unavailable(f"{self._name} is deciding between two writers; try again.") from error
                return False
            return True

    async def get(self, key: str) -> bytes:
        segments(key)
        with self._told(key):
            found = await self._store.get_async(key)
            return bytes(await found.bytes_async())

    async def head(self, key: str) -> Blob:
        segments(key)
        with self._told(key):
            found = await self._store.get_async(key, options={"head": True})
        kept = dict(found.attributes)
        content_type = kept.pop("Content-Type", "application/octet-stream")
        metadata = {name.replace(self._joint, "-"): unquote(value) for name, value in kept.items()}
        return Blob(key, found.meta["size"], content_type, metadata)

    async def exists(self, key: str) -> bool:
        try:
            await self.head(key)
        except NotFound:
            return False
        return True

    async def beneath(self, prefix: str = "") -> AsyncIterator[str]:
        folder = "/".join(segments(prefix.rstrip("/"))) if prefix else None
        with self._told(prefix):
            async for page in self._store.list(folder):
                for found in page:
                    yield found["path"]

    async def remove(self, key: str) -> None:
        segments(key)
        try:
            with self._told(key):
                await self._store.delete_async(key)
        except NotFound:
            return

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        """obstore keeps its own connections."""

    @contextmanager
    def _told(self, key: str, *, missing: type[PostroomError] = NotFound) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError as error:
            if missing is Misconfigured or _code(error) in ("NoSuchBucket", "ContainerNotFound"):
                raise Misconfigured(f"{self._name} does not exist: create it, or correct the URL.") from None
            raise missing(f"{self._name} has no {key!r}.") from None
        except (BaseError, ValueError) as error:
            # Not chained: obstore's text holds the whole URL, and with it a SAS signature.
            raise _ours(error, self._name) from None


def _code(error: Exception) -> str:
    found = _CODE.search(str(error))
    return found[1] if found else ""


def _ours(error: Exception, name: str) -> PostroomError:
    if isinstance(error, PermissionDeniedError | UnauthenticatedError):
        return PermissionDenied(f"{name} refuses us ({_why(error)}): check the credentials and their rights.")
    found = _STATUS.search(str(error))
    status = int(found[1]) if found else 0
    if status == 429 or _code(error) in ("SlowDown", "ServerBusy"):
        return Throttled(f"{name} asks us to slow down ({_why(error)}).")
    if 400 <= status < 500 and status != 408:
        return BadRequest(f"{name} does not accept the request ({_why(error)}).")
    if "kind: Timeout" in str(error):
        return TimedOut(f"{name} did not answer in time.")
    return Unavailable(f"{name} is not available ({_why(error)}).")


def _why(error: Exception) -> str:
    found = _STATUS.search(str(error))
    words = [found[1] if found else "", _code(error)]
    return " ".join(word for word in words if word) or "no answer"
