"""What a model says, held against the lines it names: paraphrases pass, inventions do not."""

import pytest

from postroom.rooms.replies.rules.claims import Quote
from postroom.rooms.replies.rules.holding import CitedGround, priced, unheld

PARKING = "Parking costs 12 EUR per day for guests."
DOG = "dog, per night | € 6.50"
POOL = "The pool is open from 8:00 to 20:00 and closed in January."
BREAKFAST = "Breakfast is served from 7:00 to 10:00 and is included in the room price."
HUND = "Hunde sind willkommen und kosten 6,50 € pro Nacht."
CANCEL = "Bookings may be changed without charge until 14 days before arrival."
THREAD = "You told me parking is only 5 EUR. We arrive on 5 July with 2 dogs and lost our luggage; please reserve a place for our car and change my booking to Friday. How much is parking, and what is a dog?"


def why(statement, quote, language="en", spoken="en", thread=THREAD):
    cited = Quote("guide.md", quote)
    return unheld(statement, language, CitedGround((cited,), {cited: spoken}, thread))


@pytest.mark.parametrize(
    ("statement", "quote", "language", "spoken"),
    [
        ("Parking costs 12 EUR per day for guests.", PARKING, "en", "en"),
        ("Parking is available for 12 EUR a day.", PARKING, "en", "en"),
        ("Of course you can park here; guests pay € 12 per day.", PARKING, "en", "en"),
        ("For guests, the parking fee is 12 EUR per day.", PARKING, "en", "en"),
        ("The daily price of parking is 12 EUR.", PARKING, "en", "en"),
        ("Das Parken kostet für Gäste 12 EUR pro Tag.", PARKING, "de", "en"),
        ("Le parking coûte 12 EUR par jour pour les clients.", PARKING, "fr", "en"),
        ("El aparcamiento cuesta 12 EUR por día para huéspedes.", PARKING, "es", "en"),
        ("Parkeren kost 12 EUR per dag voor gasten.", PARKING, "nl", "en"),
        ("We charge € 6.50 per night for a dog.", DOG, "en", "en"),
        ("If you bring your 2 dogs, each dog costs € 6.50 per night.", DOG, "en", "en"),
        ("As you arrive on 5 July with dogs, we charge € 6.50 a night for a dog.", DOG, "en", "en"),
        ("Ein Hund kostet 6,50 € pro Nacht.", DOG, "de", "en"),
        ("Un chien coûte 6,50 € par nuit.", DOG, "fr", "en"),
        ("Dogs are welcome and cost 6.50 € per night.", HUND, "en", "de"),
        ("Gerne dürfen Sie Ihren Hund mitbringen, er kostet 6,50 € pro Nacht.", HUND, "de", "de"),
        ("You can use the pool from 8:00 to 20:00.", POOL, "en", "en"),
        ("Our pool opens at 8:00 and closes at 20:00.", POOL, "en", "en"),
        ("Das Schwimmbad ist von 8:00 bis 20:00 Uhr geöffnet.", POOL, "de", "en"),
        ("Breakfast is free and served from 7:00 to 10:00.", BREAKFAST, "en", "en"),
        ("Das Frühstück ist im Zimmerpreis enthalten.", BREAKFAST, "de", "en"),
        ("You can change your booking free of charge until 14 days before you arrive.", CANCEL, "en", "en"),
    ],
)  # fmt: skip
def test_an_honest_paraphrase_is_held(statement, quote, language, spoken):
    assert None is why(statement, quote, language, spoken)


@pytest.mark.parametrize(
    ("statement", "quote", "language"),
    [
        ("Parking is free for guests per day.", PARKING, "en"),
        ("Parken ist für Gäste kostenlos.", PARKING, "de"),
        ("Le parking est gratuit pour les clients.", PARKING, "fr"),
        ("El aparcamiento es gratis para huéspedes.", PARKING, "es"),
        ("Il parcheggio è gratuito per gli ospiti.", PARKING, "it"),
        ("Parkeren is kosteloos voor gasten.", PARKING, "nl"),
        ("O estacionamento é gratuito para hóspedes.", PARKING, "pt"),
        ("Parking jest bezpłatny dla gości.", PARKING, "pl"),
        ("Parkering är kostnadsfri för gäster.", PARKING, "sv"),
        ("Parkering er omkostningsfri for gæster.", PARKING, "da"),
        ("Parking costs 12 EUR per day for guests, your place is reserved.", PARKING, "en"),
        ("Parking costs 12 EUR per day for guests and your place is reserved.", PARKING, "en"),
        ("Parken kostet 12 EUR pro Tag, Ihr Platz ist reserviert.", PARKING, "de"),
        ("Parking costs 12 EUR per month for guests.", PARKING, "en"),
        ("Parking costs 12 EUR a week for guests.", PARKING, "en"),
        ("Parken kostet monatlich 12 EUR.", PARKING, "de"),
        ("Parking costs 12 EUR per person per day for guests.", PARKING, "en"),
        ("Parking costs 5 EUR per day for guests.", PARKING, "en"),
        ("Parking costs 5 EUR.", PARKING, "en"),
        ("Parking costs 12 EUR per day for guests; we will take care of your lost luggage too.", PARKING, "en"),
        ("Parking costs twelve euros; the first three days are on us.", PARKING, "en"),
        ("Parking costs 12 EUR per day for guests, and the garage is heated.", PARKING, "en"),
        ("Your booking is changed to Friday.", CANCEL, "en"),
        ("Your booking is changed to 5 July.", CANCEL, "en"),
        ("Your two dogs are confirmed, a dog costs € 6.50 per night.", DOG, "en"),
        ("The pool is open on 5 July from 8:00 to 20:00.", POOL, "en"),
        ("Dogs cost € 6.50 per stay.", DOG, "en"),
    ],
)  # fmt: skip
def test_an_invention_is_not_held_and_a_sentence_says_why(statement, quote, language):
    told = why(statement, quote, language)
    assert told is not None
    assert told.endswith(".")


FEE = "After that the cancellation fee is 80 % of the price of the stay."
BEREIT = "Das Zimmer ist ab 15:00 Uhr bezugsfertig."


@pytest.mark.parametrize(
    ("statement", "quote", "language"),
    [
        ("The cancellation fee will be waived for you.", FEE, "en"),
        ("The cancellation fee is 80 % of the price of the stay, and will be waived for you.", FEE, "en"),
        ("We'll waive the cancellation fee if you cancel the stay after that.", FEE, "en"),
        ("Your cancellation fee of 80 % of the price of the stay is credited back.", FEE, "en"),
        ("Wir sorgen dafür, dass Ihr Zimmer ab 15:00 Uhr bezugsfertig ist.", BEREIT, "de"),
        ("Sie haben mein Wort, dass das Zimmer ab 15:00 Uhr bezugsfertig ist.", BEREIT, "de"),
        ("Je vous promets que la chambre est prête à partir de 15h00.", "La chambre est prête à partir de 15h00.", "fr"),
        ("Nous veillerons à ce que la chambre soit prête à partir de 15h00.", "La chambre est prête à partir de 15h00.", "fr"),
        ("Le assicuro che la camera è pronta dalle 15:00.", "La camera è pronta dalle 15:00.", "it"),
        ("Faremo in modo che la camera sia pronta dalle 15:00.", "La camera è pronta dalle 15:00.", "it"),
        ("Le prometo que la habitación está lista a las 15:00.", "La habitación está lista a las 15:00.", "es"),
        ("Asseguro-lhe que o quarto está pronto às 15:00.", "O quarto está pronto às 15:00.", "pt"),
        ("Ik verzeker u dat de kamer klaar is om 15:00 uur.", "De kamer is klaar om 15:00 uur.", "nl"),
        ("Zapewniam, że pokój jest gotowy od 15:00.", "Pokój jest gotowy od 15:00.", "pl"),
        ("Jag försäkrar att rummet är klart från 15:00.", "Rummet är klart från 15:00.", "sv"),
        ("Vi sørger for, at værelset er klar fra kl. 15:00.", "Værelset er klar fra kl. 15:00.", "da"),
    ],
)  # fmt: skip
def test_nothing_is_waived_or_promised_on_a_line_that_does_not(statement, quote, language):
    assert None is not why(statement, quote, language, language, thread="")


def test_a_line_that_grants_it_holds_it():
    said = "The deposit is refunded within 14 days after departure."
    assert None is why("We refund the deposit within 14 days after departure.", said, thread="")


def test_a_unit_may_be_left_out_only_where_the_sender_asked_for_it():
    assert None is why("Parking is 12 EUR.", PARKING, thread="What is parking per day?")
    assert None is not why("Parking is 12 EUR.", PARKING, thread="What is parking?")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12 EUR per day, 60 EUR per week", [("money:12", {"day"}), ("money:60", {"week"})]),
        ("dog, per night | € 6.50", [("money:6.5", {"night"})]),
        ("12 € la nuit", [("money:12", {"night"})]),
        ("30 € die Nacht", [("money:30", {"night"})]),
        ("20 zł za osobę", [("money:20", {"person"})]),
        ("€ 8/day", [("money:8", {"day"})]),
        ("90 kr per natt", [("money:90", {"night"})]),
        ("A key costs 45 EUR", [("money:45", set())]),
    ],
)
def test_an_amount_stands_with_what_it_is_for(text, expected):
    assert expected == [(same, set(units)) for same, units in priced(text)]
