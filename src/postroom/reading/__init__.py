"""Reading documents (the extractor): words with places in, typed fields with evidence out; pure."""
