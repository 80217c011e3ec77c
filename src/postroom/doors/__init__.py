"""How the world comes in: hooks, sign-in, the API and the console."""
