"""Google's own client reads, labels and sends mail."""

import base64


async def test_a_delivered_mail_is_listed_and_read_in_all_four_formats(sim, gmail, letter):
    mail = letter(files=[("note.pdf", b"%PDF-1.7 " + b"x" * 5000)])
    message_id = sim.deliver(mail)

    listed = await gmail.run(gmail.users.messages().list(userId="me"))
    assert [{"id": message_id, "threadId": message_id}] == listed["messages"]

    formats = {}
    for form in ("minimal", "metadata", "full", "raw"):
        formats[form] = await gmail.run(gmail.users.messages().get(userId="me", id=message_id, format=form))
    assert mail.raw == base64.urlsafe_b64decode(formats["raw"]["raw"])
    assert "payload" not in formats["minimal"]
    assert formats["minimal"]["snippet"] == "Dear Anna, please see below."
    subjects = [
        header["value"] for header in formats["metadata"]["payload"]["headers"] if header["name"] == "Subject"
    ]
    assert subjects == ["A question"]
    parts = formats["full"]["payload"]["parts"]
    assert [part["mimeType"] for part in parts] == ["text/plain", "application/pdf"]
    assert b"Dear Anna" in base64.urlsafe_b64decode(parts[0]["body"]["data"])
    assert parts[1]["filename"] == "note.pdf"
