"""The words documents use, as data: one TOML file per language."""
