"""Whom an answer goes to, and what they are called."""

import pytest

from postroom.nouns.conversations import Turn
from postroom.nouns.mail import Address
from postroom.nouns.providers import ProviderRef

ANNA, DESK, BOSS = (
    Address("anna@client.example", "Anna"),
    Address("desk@house.example", "Desk"),
    Address("b@x.example", "Boss"),
)


@pytest.mark.parametrize(
    ("reply_to", "expected"),
    [
        ((), ANNA),
        ((BOSS,), BOSS),
        ((BOSS, ANNA), BOSS),
        ((DESK,), ANNA),
        ((Address("desk+7@House.example"),), ANNA),
        ((DESK, BOSS), BOSS),
        ((Address("alias@house.example"),), ANNA),
        ((Address("anna@client.example"),), ANNA),
        ((Address("other@client.example"),), Address("other@client.example")),
    ],
)
def test_an_answer_goes_to_reply_to_but_never_to_ourselves(reply_to, expected):
    turn = Turn(ProviderRef("1"), sender=ANNA, to=(DESK,), reply_to=reply_to)

    assert expected == turn.answer_to(["alias@house.example"])
