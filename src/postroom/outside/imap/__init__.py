"""Any mailbox over IMAP: read by UID, told of news by IDLE."""
