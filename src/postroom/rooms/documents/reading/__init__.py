"""Reading: words with places in, typed fields with evidence out; pure but for its own lexicon."""
