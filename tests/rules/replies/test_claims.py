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


@pytest.mark.parametrize(
    "statement",
    [
        "You will certainly get a refund",
        "We pay back the full price",
        "You get 10 % discount on your next stay",
        "We will give you a free night",
        "You can sue the airline",
        "Sie haben Anspruch auf Mietminderung",
        "Der volle Betrag wird erstattet",
        "Nous remboursons la totalité",
        "Vous avez droit à une remise de 10 %",
        "You are entitled to a refund",
        "Sie haben Anspruch auf eine Erstattung",
        "Vous avez droit à un remboursement",
        "Tiene derecho a un reembolso",
        "Ha diritto a un rimborso",
        "U heeft recht op terugbetaling",
        "Tem direito a um reembolso",
        "Mają Państwo prawo do zwrotu",
        "Du har rätt till återbetalning",
        "Du har ret til refusion",
        "Wir zahlen den vollen Preis zurück",
        "Devolvemos la totalidad",
        "Rimborsiamo l'intero importo",
        "Wij betalen het volledige bedrag terug",
        "Reembolsamos a totalidade",
        "Zwracamy całą kwotę",
        "Hela beloppet återbetalas",
        "Hele beløbet refunderes",
        "Sie bekommen 10 % Rabatt",
        "Recibirá un descuento del 10 %",
        "Riceverà uno sconto del 10 %",
        "U krijgt 10 % korting",
        "Terá um desconto de 10 %",
        "Otrzymają Państwo 10 % zniżki",
        "Du får 10 % rabatt",
        "Du får 10 % rabat",
        "We give you a free night",
        "Wir schenken Ihnen eine Nacht",
        "Nous vous offrons une nuit",
        "Le regalamos una noche",
        "Le offriamo una notte",
        "Wij geven u een gratis nacht",
        "Oferecemos-lhe uma noite",
        "Damy Państwu darmową noc",
        "Vi bjuder dig på en natt",
        "Vi giver dig en gratis nat",
        "Sie können klagen",
        "Vous pouvez poursuivre la compagnie",
        "Puede demandar a la compañía",
        "Può fare causa alla compagnia",
        "U kunt naar de rechter",
        "Pode processar a companhia",
        "Może Pan pozwać linię",
        "Du kan stämma bolaget",
        "Du kan sagsøge selskabet",
        "We made a mistake",
        "Wir haben einen Fehler gemacht",
        "Nous avons commis une erreur",
        "Hemos cometido un error",
        "Abbiamo commesso un errore",
        "Wij hebben een fout gemaakt",
        "Cometemos um erro",
        "Popełniliśmy błąd",
        "Vi har gjort ett fel",
        "Vi har begået en fejl",
        "It is safe for people with asthma",
        "Unbedenklich für Allergiker",
        "Sans danger pour les asthmatiques",
        "Es seguro para alérgicos",
        "Sicuro per gli asmatici",
        "Veilig voor astmapatiënten",
        "Seguro para asmáticos",
        "Bezpieczne dla astmatyków",
        "Ofarligt för allergiker",
        "Ufarligt for allergikere",
    ],
)
def test_a_promise_is_blocked_however_it_is_put(statement):
    assert None is not forbidden(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "A refundable deposit of 50 EUR is due on arrival.",
        "We do not refund tickets.",
        "Children under 6 free.",
        "Cancellations up to 14 days before arrival are refunded in full.",
        "You will not get a refund.",
        "Sie erhalten keinen Rabatt.",
        "You get off at Main Street.",
        "Children get 50 % off.",
        "The deposit is returned after check-out.",
        "Kinder erhalten 50 % Rabatt.",
        "Tickets werden nicht erstattet.",
        "Die Kaution wird nach der Abreise zurückgezahlt.",
        "Les billets ne sont pas remboursables.",
        "Los niños pagan la mitad.",
        "We offer you free wifi.",
        "Il cane paga 5 EUR.",
        "Kinderen krijgen korting.",
        "Du får nyckeln i receptionen.",
        "Du får nøglen i receptionen.",
        "U krijgt de sleutel bij de balie.",
        "Sie erhalten den Schlüssel zurück.",
        "You can take the bus to the court house.",
        "Students get 10 % discount.",
        "Vous recevrez la clé à la réception.",
        "Vous n'avez pas droit à un remboursement.",
        "Mogą Państwo zapłacić kartą.",
        "Zwrot kosztów nie jest możliwy.",
        "Wij brengen u terug naar het station.",
        "We give back lost property at the desk.",
        "You can pay the rent by standing order.",
    ],
)
def test_a_rule_a_denial_or_a_way_to_the_station_is_no_promise(statement):
    assert None is forbidden(statement)
