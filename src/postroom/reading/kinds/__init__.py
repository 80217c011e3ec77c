"""The kinds of entries that papers tell of, each a folder: words, shape, sums, objections, examples."""
