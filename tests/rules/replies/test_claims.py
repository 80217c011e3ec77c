"""Values and promises of a draft: found in ten languages, traced to a quote or the thread, or blocked."""

import pytest

from postroom.rooms.replies.rules.claims import Grounds, Quote, check_statements, forbidden, policy_names, untraced
from postroom.rooms.replies.rules.values import find_values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It costs € 6.50 a night.", [("money", "money:6.5")]),
        ("Das kostet 1.250,50 EUR.", [("money", "money:1250.5")]),
        ("De prijs is 34 euro, met 8 % korting.", [("money", "money:34"), ("percent", "percent:8")]),
        ("Opłata wynosi 12 zł.", [("money", "money:12")]),
        ("Open from 8:00 to 22:00.", [("time", "time:08:00-22:00")]),
        ("Geöffnet von 7 bis 21 Uhr.", [("time", "time:07:00-21:00")]),
        ("Bis zum 31. Dezember 2026.", [("date", "date:12m-31-2026")]),
        ("Until 31 December 2026.", [("date", "date:12m-31-2026")]),
        ("Jusqu'au 5 mai 2025.", [("date", "date:5m-5-2025")]),
        ("Innerhalb von drei Wochen.", [("duration", "duration:3:week")]),
        ("Within 3 weeks.", [("duration", "duration:3:week")]),
        ("10 Werktage", [("duration", "duration:10:working_day")]),
        ("Call 03931 000 551.", [("phone", "phone:03931000551")]),
        ("Industriestraße 9", [("address", "address:industriestraße9")]),
        ("See https://house.example/terms.", [("link", "link:https://house.example/terms")]),
        ("Write to office@house.example", [("email", "email:office@house.example")]),
        ("1,95 Meter", [("measure", "measure:1.95:m")]),
    ],
)
def test_values_are_found_and_equal_ones_are_equal(text, expected):
    assert expected == [(each.kind, each.same) for each in find_values(text)]


GROUNDS = Grounds(
    (
        Quote("prices.md", "dog, per night | € 6.50"),
        Quote("hours.md", "Open from 8:00 to 22:00, answer within two weeks."),
    ),
    "We arrive on 5 July with 2 dogs.",
)


@pytest.mark.parametrize(
    "statement",
    [
        "A dog costs 6,50 euros a night.",
        "We are open until 22:00.",
        "You hear from us within 2 weeks.",
        "You arrive on 5 July.",
        "Dogs are welcome.",
    ],
)
def test_what_stands_in_a_quote_or_the_thread_is_traced(statement):
    assert None is untraced(statement, GROUNDS)


@pytest.mark.parametrize(
    "statement",
    [
        "A dog costs € 5.50 a night.",
        "We are open until 23:00.",
        "You hear from us within 2 days.",
        "You get 10 % off.",
        "Call 0800 123 456 78.",
        "Our Comfort Guarantee covers this.",
        "Please come to Dorpsstraat 88.",
        "Details: https://elsewhere.example",
    ],
)
def test_what_stands_nowhere_is_blocked_with_a_sentence(statement):
    checked = check_statements([statement], GROUNDS, must_stand=False)
    assert ((), 1) == (checked.kept, len(checked.blocked))
    assert checked.blocked[0].because.endswith(".")


@pytest.mark.parametrize(
    ("topic", "statements"),
    [
        ("refund", ["We will refund you the stay.", "Wir erstatten Ihnen den Betrag.", "Nous vous remboursons le séjour.", "Le devolvemos el importe.", "Le rimborseremo l'importo.", "U krijgt uw geld terug.", "Será reembolsado.", "Otrzymają Państwo pełny zwrot.", "Du får pengarna tillbaka.", "Du får pengene tilbage."]),
        ("discount", ["We offer you a discount.", "Wir gewähren Ihnen einen Nachlass.", "Nous vous accordons une remise.", "Le ofrecemos un descuento.", "Le offriamo uno sconto.", "U krijgt korting.", "Damos-lhe um desconto.", "Udzielimy rabatu.", "Du får rabatt.", "Du får rabat."]),
        ("blame", ["This was our fault.", "Das war unser Fehler.", "C'est notre faute.", "Es culpa nuestra, nuestra culpa.", "È colpa nostra.", "Dat is onze schuld.", "A culpa é nossa, nosso erro.", "To nasza wina.", "Det var vårt fel.", "Det er vores skyld."]),
        ("medical", ["Take two tablets.", "Nehmen Sie zwei Tabletten.", "Prenez un comprimé.", "Tome una pastilla.", "Prenda una compressa.", "Neem een tablet.", "Tome um comprimido.", "Proszę wziąć tabletkę.", "Ta en tablett.", "Tag en tablet."]),
        ("legal", ["You have a legal right to it.", "Rechtlich gesehen steht es Ihnen zu.", "La loi dit le contraire.", "La ley dice lo contrario.", "La legge dice il contrario.", "De wet zegt iets anders.", "A lei diz o contrário.", "Prawo mówi co innego.", "Lagen säger något annat.", "Loven siger noget andet."]),
    ],
)  # fmt: skip
def test_what_only_a_person_may_say_is_blocked_in_ten_languages(topic, statements):
    assert 10 == len(statements)
    assert [] == [each for each in statements if forbidden(each) is None]


@pytest.mark.parametrize(
    "statement",
    [
        "Children under 12 are free.",
        "School classes get one free place for every twelve pupils.",
        "Helme sind im Preis enthalten.",
        "Die Kaution beträgt 100 Euro.",
        "Le petit déjeuner est compris.",
        "Kinderen tot 12 jaar betalen 4,25 euro.",
        "Eine zweite Ausfertigung ist kostenlos und kommt per E-Mail.",
    ],
)
def test_what_a_price_list_says_is_no_promise(statement):
    assert None is forbidden(statement)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The Comfort Guarantee covers this.", ["The Comfort Guarantee"]),
        ("Es gilt die Kulanzregelung.", ["Kulanzregelung"]),
        ("Nach § 536 BGB", ["§ 536 BGB"]),
        ("Please read our terms.", []),
    ],
)
def test_names_of_policies_are_found(text, names):
    assert names == policy_names(text)


def test_a_statement_without_support_is_blocked_where_it_must_stand():
    checked = check_statements(["The garden has roses and a fountain."], GROUNDS, must_stand=True)
    assert "Nothing in the evidence says so." == checked.blocked[0].because
