"""The simulated Google accounts: OAuth 2.0 and OpenID Connect."""
