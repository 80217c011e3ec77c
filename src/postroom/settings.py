"""Settings: read once at the start, frozen, and refused with the name, the value and what is expected."""

from __future__ import annotations

import difflib
import ipaddress
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import AfterValidator, AliasChoices, Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from postroom.nouns.copilot import NAMESPACE
from postroom.nouns.errors import Misconfigured
from postroom.nouns.opinions import endpoint

PREFIX = "POSTROOM_"
FOR_TESTS = {f"{PREFIX}ORACLES"}
# What Kubernetes tells every pod of a service named postroom: https://kubernetes.io/docs/concepts/services-networking/service/
_LINK = re.compile(r"POSTROOM(_\w+)?_(SERVICE_(HOST|PORT)(_\w+)?|PORT(_\d+_(TCP|UDP)(_(PROTO|PORT|ADDR))?)?)")
SECRET_NAMES = re.compile(r"SECRET|KEY|STATE|PASSWORD|DATABASE_URL|TOKEN$")


def _web_address(value: str) -> str:
    """https, or http to this machine only; no trailing slash."""
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("expected a web address such as https://mail.example.org")
    if parts.scheme == "http" and not is_loopback(parts.hostname):
        raise ValueError("plain http:// is allowed for this machine only (127.0.0.1, localhost); use https://")
    if parts.query or parts.fragment:
        raise ValueError("expected no ? and no # in it")
    return value.rstrip("/")


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


WebAddress = Annotated[str, AfterValidator(_web_address)]


def _named(name: str, **options: Any) -> Any:
    """A setting that other tools share: its name is accepted with the prefix and without."""
    return Field(validation_alias=AliasChoices(f"{PREFIX}{name}", name), **options)


def _default_home() -> Path:
    if os.geteuid() == 0:
        return Path("/var/lib/postroom")
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "postroom"


class Settings(BaseSettings):
    """Everything Postroom can be told from the environment. `docs/reference/settings.md` explains each."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="ignore", env_ignore_empty=True)

    home: Path = Field(default_factory=_default_home)
    database_url: SecretStr | None = None
    bind: str = "127.0.0.1:8025"
    metrics_bind: str | None = None
    public_url: WebAddress | None = None
    archive_url: str | None = None
    sealing_key: SecretStr | None = None
    model: str | None = None
    model_key: SecretStr | None = None
    model_seconds: int = Field(default=60, ge=1, le=600)
    slots: int = Field(default=16, ge=1, le=512)
    log_format: str = "auto"
    log_level: str = "info"
    token_store: str = "database"  # noqa: S105 - the name of a place, not a secret
    trusted_proxies: str = ""
    webhook_allow_hosts: str = ""
    traces_url: WebAddress | None = None
    api_url: WebAddress | None = None
    api_key: SecretStr | None = None
    oidc_issuer: WebAddress | None = None
    oidc_client_id: str | None = None
    oidc_client_secret: SecretStr | None = None
    oidc_tenant: str = "default"
    oidc_trust_unverified_email: bool = False
    label_namespace: str = NAMESPACE
    poll_seconds: int = Field(default=180, ge=5)
    backfill_days: int = Field(default=7, ge=1, le=365)
    resync_days: int = Field(default=90, ge=1, le=3650)

    graph_base_url: WebAddress = "https://graph.microsoft.com/v1.0"
    graph_login_url: WebAddress = "https://login.microsoftonline.com"
    graph_tenant_id: str | None = _named("GRAPH_TENANT_ID", default=None)
    graph_client_id: str | None = _named("GRAPH_CLIENT_ID", default=None)
    graph_client_secret: SecretStr | None = _named("GRAPH_CLIENT_SECRET", default=None)
    graph_mailbox_email: str | None = _named("GRAPH_MAILBOX_EMAIL", default=None)
    graph_mailbox_folder: str = _named("GRAPH_MAILBOX_FOLDER", default="Inbox")
    graph_client_state: SecretStr | None = _named("GRAPH_CLIENT_STATE", default=None)

    gmail_base_url: WebAddress = "https://gmail.googleapis.com"
    google_auth_url: WebAddress = "https://accounts.google.com/o/oauth2/v2/auth"
    google_token_url: WebAddress = "https://oauth2.googleapis.com/token"  # noqa: S105 - an address
    google_certs_url: WebAddress = "https://www.googleapis.com/oauth2/v3/certs"
    google_pubsub_url: WebAddress = "https://pubsub.googleapis.com"
    gmail_client_id: str | None = None
    gmail_client_secret: SecretStr | None = None
    gmail_topic: str | None = None
    gmail_subscription: str | None = None
    gmail_audience: str | None = None
    gmail_service_account: str | None = None
    gmail_push_token: SecretStr | None = None
    gmail_pull: bool = False
    google_credentials: Path | None = None

    @field_validator("home")
    @classmethod
    def _from_the_root(cls, value: Path) -> Path:
        return value.absolute()  # the embedded server starts in another folder

    @field_validator("database_url")
    @classmethod
    def _postgres(cls, value: SecretStr | None) -> SecretStr | None:
        told = value.get_secret_value() if value is not None else "="
        if "=" not in told and urlsplit(told).scheme not in {"postgresql", "postgres"}:
            raise ValueError("expected postgresql://user:password@host/database, or key=value pairs")
        return value

    @field_validator("trusted_proxies")
    @classmethod
    def _addresses(cls, value: str) -> str:
        for each in filter(None, map(str.strip, value.split(","))):
            if each != "*":
                try:
                    ipaddress.ip_network(each)
                except ValueError as problem:
                    raise ValueError(f"{problem}; expected addresses or networks, separated by commas, or *") from None
        return value

    @field_validator("webhook_allow_hosts")
    @classmethod
    def _hosts_with_ports(cls, value: str) -> str:
        for each in filter(None, map(str.strip, value.split(","))):
            host, _, port = each.rpartition(":")
            if not host or not port.isdigit() or not 0 < int(port) <= 65535:
                raise ValueError(f"{each!r}; expected host:port such as hooks.internal:8443, separated by commas")
        return value

    @field_validator("bind", "metrics_bind")
    @classmethod
    def _host_and_port(cls, value: str | None) -> str | None:
        if value is None:
            return None
        host, _, port = value.rpartition(":")
        if not host or not port.isdigit() or not 0 <= int(port) <= 65535:
            raise ValueError("expected host:port such as 127.0.0.1:8025")
        return value

    @field_validator("archive_url")
    @classmethod
    def _known_archive(cls, value: str | None) -> str | None:
        if value is not None and urlsplit(value).scheme not in {"file", "gs", "s3", "az"}:
            raise ValueError("expected file:///…, gs://…, s3://… or az://…")
        return value

    @field_validator("model")
    @classmethod
    def _known_model(cls, value: str | None) -> str | None:
        if value is not None and urlsplit(_web_address(endpoint(value).base_url)).username is not None:
            raise ValueError("the address must not carry a name or password; the key goes to POSTROOM_MODEL_KEY")
        return value

    @field_validator("label_namespace")
    @classmethod
    def _plain_namespace(cls, value: str) -> str:
        if not value.strip() or len(value) > 60 or "," in value or value != value.strip("/ "):
            raise ValueError("expected a name of up to 60 letters, without commas, such as Inbox Copilot")
        return value

    @field_validator("token_store")
    @classmethod
    def _known_store(cls, value: str) -> str:
        if value not in {"database", "ssm"}:
            raise ValueError("expected database or ssm")
        return value

    @field_validator("log_format")
    @classmethod
    def _known_format(cls, value: str) -> str:
        if value not in {"auto", "json", "text"}:
            raise ValueError("expected auto, json or text")
        return value

    @field_validator("log_level")
    @classmethod
    def _known_level(cls, value: str) -> str:
        if value not in {"debug", "info", "warning", "error"}:
            raise ValueError("expected debug, info, warning or error")
        return value

    @field_validator("graph_client_state")
    @classmethod
    def _short_enough(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not 16 <= len(value.get_secret_value()) <= 128:
            raise ValueError("expected 16 to 128 characters; make one with secrets.token_urlsafe(32)")
        return value

    @field_validator("gmail_topic")
    @classmethod
    def _topic_path(cls, value: str | None) -> str | None:
        if value is not None and not re.fullmatch(r"projects/[^/]+/topics/[^/]+", value):
            raise ValueError("expected projects/PROJECT/topics/TOPIC")
        return value

    @field_validator("gmail_subscription")
    @classmethod
    def _subscription_path(cls, value: str | None) -> str | None:
        if value is not None and not re.fullmatch(r"projects/[^/]+/subscriptions/[^/]+", value):
            raise ValueError("expected projects/PROJECT/subscriptions/SUBSCRIPTION")
        return value

    @model_validator(mode="after")
    def _whole_graph(self) -> Settings:
        """The app-only mailbox of the `GRAPH_` settings needs all of its settings or none."""
        if self.graph_mailbox_email:
            wanted = {
                "GRAPH_TENANT_ID": self.graph_tenant_id,
                "GRAPH_CLIENT_ID": self.graph_client_id,
                "GRAPH_CLIENT_SECRET": self.graph_client_secret,
            }
            if missing := [f"{PREFIX}{name}" for name, value in wanted.items() if not value]:
                raise ValueError(f"{PREFIX}GRAPH_MAILBOX_EMAIL is set, so these are needed too: {', '.join(missing)}")
        return self

    @model_validator(mode="after")
    def _whole_oidc(self) -> Settings:
        if self.oidc_issuer and not self.oidc_client_id:
            raise ValueError(f"{PREFIX}OIDC_ISSUER is set, so {PREFIX}OIDC_CLIENT_ID is needed too")
        return self

    def require_files(self) -> None:
        """Before the post is started: a file that is named and not there would stop a part of it later."""
        place = self.google_credentials
        if place is None:
            return
        try:
            with place.open("rb"):
                pass
        except OSError as problem:
            raise Misconfigured(f"{PREFIX}GOOGLE_CREDENTIALS={place}: cannot be read ({problem.strerror}).") from None

    @property
    def host(self) -> str:
        return self.bind.rpartition(":")[0].strip("[]")

    @property
    def port(self) -> int:
        return int(self.bind.rpartition(":")[2])

    @property
    def outside_url(self) -> str:
        """How others reach us: the one place this is derived."""
        anywhere = self.host in {"0.0.0.0", "::"}  # noqa: S104 - compared with, not bound to
        return self.public_url or f"http://{'127.0.0.1' if anywhere else self.host}:{self.port}"


def load(**told: Any) -> Settings:
    """From the environment, overruled by what is `told`, or an error that says everything that is wrong."""
    if misspelt := _misspelt(os.environ):
        raise Misconfigured("\n".join(misspelt))
    try:
        return Settings(**told)
    except ValidationError as problem:
        raise Misconfigured("\n".join(_explain(error) for error in problem.errors())) from None


def names() -> set[str]:
    """Everything that may stand in the environment with our prefix."""
    named = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}
    return named | FOR_TESTS


def _misspelt(environment: Iterable[str]) -> list[str]:
    """A setting that nobody reads is worse than one that is refused: the house would run with its default."""
    known = names()
    odd = [name for name in environment if name.startswith(PREFIX) and name not in known and not _LINK.fullmatch(name)]
    return [f"{name} is not a setting.{_nearest(name, known)}" for name in sorted(odd)]


def _nearest(name: str, known: set[str]) -> str:
    near = difflib.get_close_matches(name.removeprefix(PREFIX), [each.removeprefix(PREFIX) for each in known], n=1)
    return f" Did you mean {PREFIX}{near[0]}?" if near else " docs/reference/settings.md lists them all."


def _explain(error: Any) -> str:
    expected = str(error["msg"]).removeprefix("Value error, ")
    if not error["loc"]:
        return f"Settings do not fit together: {expected}."
    name = str(error["loc"][0])
    name = name if name.startswith(PREFIX) else f"{PREFIX}{name.upper()}"
    shown = "(not shown)" if SECRET_NAMES.search(name) else repr(error["input"])
    return f"{name}={shown}: {expected}."
