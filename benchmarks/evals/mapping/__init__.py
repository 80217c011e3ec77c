"""Whose mail a mail is: a book and a year of mail of our own making, how right we are, and what the weights are fitted on."""
