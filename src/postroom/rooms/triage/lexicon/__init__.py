"""The words people use for what matters, as data: one TOML file per language, and the frames that hold for all."""
