"""OpenID Connect: people sign in at the identity provider of their organisation."""

from postroom.outside.oidc.provider import OidcProvider

__all__ = ["OidcProvider"]
