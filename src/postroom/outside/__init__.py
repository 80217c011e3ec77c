"""The world: providers, models, readers, archives and keys."""
