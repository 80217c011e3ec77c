"""Microsoft Graph: Outlook mailboxes, of a person who signed in or of an app that an administrator let in."""
