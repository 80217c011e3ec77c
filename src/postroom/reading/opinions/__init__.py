"""A model's opinion: asked for, held against the document's own words, and never believed by itself."""
