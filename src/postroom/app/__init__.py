"""The composition root: the only package that knows every part: the house, its providers, and the web process."""
