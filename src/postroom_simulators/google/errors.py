"""Google's refusals: one exception, in the JSON shapes its clients expect."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

_STATUS = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    409: "ALREADY_EXISTS",
    412: "FAILED_PRECONDITION",
    413: "INVALID_ARGUMENT",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
}


class GoogleApiError(Exception):
    """An answer other than 2xx of Gmail or Pub/Sub."""

    def __init__(
        self,
        code: int,
        reason: str,
        message: str,
        *,
        detail: str = "",
        domain: str = "global",
        status: str = "",
    ) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.message = message
        self.detail = detail or message
        self.domain = domain
        self.status = status or _STATUS[code]

    def body(self) -> dict[str, Any]:
        item = {"message": self.detail, "domain": self.domain, "reason": self.reason}
        if self.code == 401:
            item |= {"location": "Authorization", "locationType": "header"}
        return {"error": {"code": self.code, "message": self.message, "errors": [item], "status": self.status}}


class GoogleOAuthError(Exception):
    """A refusal of the authorization server."""

    def __init__(self, error: str, description: str, *, code: int = 400, subtype: str = "") -> None:
        super().__init__(description)
        self.error = error
        self.description = description
        self.code = code
        self.subtype = subtype

    def body(self) -> dict[str, str]:
        body = {"error": self.error, "error_description": self.description}
        return body | ({"error_subtype": self.subtype} if self.subtype else {})


def not_found() -> GoogleApiError:
    return GoogleApiError(404, "notFound", "Requested entity was not found.")


def invalid(message: str) -> GoogleApiError:
    return GoogleApiError(400, "invalidArgument", message)


def failed_precondition() -> GoogleApiError:
    return GoogleApiError(400, "failedPrecondition", "Precondition check failed.", status="FAILED_PRECONDITION")


def insufficient_scopes() -> GoogleApiError:
    return GoogleApiError(
        403,
        "insufficientPermissions",
        "Request had insufficient authentication scopes.",
        detail="Insufficient Permission",
    )


def no_credentials() -> GoogleApiError:
    return GoogleApiError(
        401, "required", "Request is missing required authentication credential.", detail="Login Required."
    )


def bad_credentials() -> GoogleApiError:
    return GoogleApiError(
        401, "authError", "Request had invalid authentication credentials.", detail="Invalid Credentials"
    )


def unavailable() -> GoogleApiError:
    return GoogleApiError(503, "backendError", "The service is currently unavailable.")


def rate_limited(till: float, *, code: int) -> GoogleApiError:
    """Google names the instant in the text and sends no Retry-After."""
    message = f"User-rate limit exceeded.  Retry after {stamp(till)}"
    return GoogleApiError(code, "rateLimitExceeded", message, detail="User-rate limit exceeded.", domain="usageLimits")


def exhausted() -> GoogleApiError:
    return GoogleApiError(429, "rateLimitExceeded", "Resource has been exhausted (e.g. check quota).")


def stamp(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
