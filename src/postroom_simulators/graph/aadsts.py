"""What the simulated Entra says when it refuses, by AADSTS number."""

from __future__ import annotations

SAID = {
    9002313: ("invalid_request", "Invalid request. Request is malformed or invalid."),
    50011: (
        "invalid_request",
        "The redirect URI specified in the request does not match the one registered.",
    ),
    50033: ("temporarily_unavailable", "A transient error has occurred. Please try again."),
    50057: ("invalid_grant", "The user account is disabled."),
    50059: (
        "invalid_request",
        "No tenant-identifying information found in either the request or credentials.",
    ),
    50074: ("interaction_required", "Strong Authentication is required."),
    50076: ("interaction_required", "You must use multi-factor authentication to access the resource."),
    50078: ("interaction_required", "Presented multi-factor authentication has expired."),
    50079: ("interaction_required", "You must enroll in multi-factor authentication."),
    50087: ("temporarily_unavailable", "A transient error has occurred during strong authentication."),
    50105: ("consent_required", "The signed in user is not assigned to a role for the application."),
    50173: (
        "invalid_grant",
        "The provided grant has expired due to it being revoked; a fresh token is needed.",
    ),
    50196: (
        "invalid_grant",
        "The server terminated an operation because it encountered a client request loop.",
    ),
    501481: (
        "invalid_grant",
        "The Code_Verifier does not match the code_challenge of the authorization request.",
    ),
    53003: ("interaction_required", "Access has been blocked by Conditional Access policies."),
    54005: ("invalid_grant", "OAuth2 Authorization code was already redeemed."),
    65001: ("consent_required", "The user or administrator has not consented to use the application."),
    65004: ("access_denied", "User declined to consent to access the app."),
    70000: ("invalid_grant", "The provided value for the input parameter is not valid."),
    70001: ("unauthorized_client", "The application was not found in the directory."),
    70002: ("invalid_client", "Error validating credentials: the client secret is invalid."),
    70003: ("unsupported_grant_type", "The app returned an unsupported grant type."),
    70008: ("invalid_grant", "The provided authorization code or refresh token has expired."),
    70011: ("invalid_scope", "The provided value for the input parameter 'scope' is not valid."),
    700082: ("invalid_grant", "The refresh token has expired due to inactivity."),
    7000215: ("invalid_client", "Invalid client secret provided."),
    7000218: ("invalid_client", "The request body must contain: 'client_assertion' or 'client_secret'."),
}


class AadstsError(Exception):
    """An OAuth error, by its AADSTS number."""

    def __init__(self, aadsts: int, status: int = 400) -> None:
        super().__init__(aadsts)
        self.aadsts = aadsts
        self.error, self.text = SAID.get(aadsts, ("invalid_grant", "The grant is not usable."))
        self.status = 401 if self.error == "invalid_client" else 503 if "unavailable" in self.error else status
