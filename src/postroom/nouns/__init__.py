"""What we talk about: values only, importing nothing that does I/O."""
