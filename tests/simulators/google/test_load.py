"""One simulator holds a thousand mailboxes and is never the bottleneck."""

import time

from postroom_simulators.incoming_mail import IncomingMail

TOPIC = "projects/office/topics/mail"


def mail(number):
    head = (
        f"From: Carl <c{number}@client.test>\r\nTo: desk@office.test\r\nSubject: Note {number}\r\n"
        f"Date: Mon, 02 Mar 2026 09:00:00 +0000\r\nMessage-ID: <{number}@client.test>\r\n"
        'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n'
    )
    return head.encode() + b"--b\r\n\r\nhello\r\n--b\r\nContent-Type: application/pdf\r\n\r\n" + b"x" * 40_000


async def test_a_thousand_mailboxes_take_a_thousand_mails_in_a_fraction_of_a_second_of_cpu(sim):
    addresses = [f"desk{number}@office.test" for number in range(1000)]
    for address in addresses:
        sim.add_mailbox(address)
        sim.gmail.watches.start(sim.mailboxes[address], TOPIC, ["INBOX"], include=True)
    letters = [IncomingMail(addresses[number % 1000], mail(number)) for number in range(4000)]

    started = time.process_time()
    for letter in letters:
        sim.deliver(letter)
    spent = time.process_time() - started

    assert spent < 4.0, f"{len(letters) / spent:.0f} mails a CPU-second"
    assert {len(sim.mailboxes[address].mails) for address in addresses} == {4}


async def test_every_one_of_many_mailboxes_is_pushed(sim, hook, until, faults):
    faults.turn(one_push_a_second=False)
    name = "projects/office/subscriptions/s"  # on a busy machine an answer may take longer than the usual deadline
    sim.add_push_subscription(name, TOPIC, hook.url, "aud", "robot@office.test", ack_deadline=60)
    addresses = [f"desk{number}@office.test" for number in range(300)]
    for address in addresses:
        sim.add_mailbox(address)
        sim.gmail.watches.start(sim.mailboxes[address], TOPIC, ["INBOX"], include=True)
    for number, address in enumerate(addresses):
        sim.deliver(IncomingMail(address, mail(number)))

    await until(lambda: not sim.waiting_pushes(), within=30)

    newest = {address: sim.mailboxes[address].history_id for address in addresses}
    told = {}
    for news in hook.news():
        told[news["emailAddress"]] = max(news["historyId"], told.get(news["emailAddress"], 0))
    assert told == newest
    assert len(hook.bells) == 600
