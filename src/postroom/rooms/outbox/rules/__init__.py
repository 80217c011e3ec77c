"""What the outbox decides: pure, with `now` as an argument."""
