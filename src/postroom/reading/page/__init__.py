"""The page as typed text: lines, tokens, numbers, dates, and the habits of one document."""
