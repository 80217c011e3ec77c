"""Who bills and who is billed: address blocks, sender lines, legal forms; never our own house as supplier."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from postroom.reading.invoices.found import InvoiceFinding
from postroom.reading.invoices.layout import InvoiceSheet, SheetCell, below, left_of, right_of, shares_width
from postroom.reading.invoices.words import InvoiceLabel, flat
from postroom.reading.page.tokens import TokenKind

_LEGAL = re.compile(
    r"(?<![^\W\d_])(?:gmbh(?: & co\.? ?kg)?|ag|kg|ohg|gbr|ug|e\.? ?k\.?|e\.? ?v\.?|a\.? ?g\.?|se|mbh|ltd\.?|limited"
    r"|llc|llp|plc|inc\.?|corp\.?|co\.|pvt|pty|sarl|s\.a\.r\.l\.?|sas|s\.a\.s\.?|sasu|eurl|s\.?a\.?|s\.?p\.?a\.?"
    r"|s\.?r\.?l\.?s?|s\.?n\.?c\.?|s\.?l\.?u?\.?|b\.?v\.?|n\.?v\.?|v\.?o\.?f\.?|aps|a/s|i/s|k/s|ivs|ab|hb|kb|as|asa"
    r"|oy|oyj|sp\. ?z ?o\.? ?o\.?|sp\. ?[kj]\.?|s\.? ?c\.?|lda\.?|ltda\.?|unipessoal|s\.?r\.?o\.?|kft\.?|zrt\.?"
    r"|stiftung|genossenschaft|verein|eg|e\.? ?u\.?|kgaa|partg(?: ?mbb)?|mbb|p/s|amba|oü|sia|uab|d\.?o\.?o\.?|a\.s\."
    r"|e\.i\.|sci|scop|s\.?coop\.?|soc\. ?coop\.?|cic|lp|bvba|srl|sprl|vzw|asbl|sàrl|s\.à ?r\.l\.?|ehf\.?"
    r"|hf\.?)(?![^\W\d_])",
    re.IGNORECASE,
)
_POSTCODE = re.compile(
    r"(?:^|[\s,-])(?:[A-Z]{1,2}[- ])?(?:\d{5}|\d{4}|\d{2}-\d{3}|\d{4}-\d{3}|\d{3} ?\d{2}|\d{4} ?[A-Z]{2})"
    r"\s?[^\W\d_]{2,}|\b[^\W\d_]{4,} \d{6}$|\b[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b|\b[A-Z]{2} \d{5}(?:-\d{4})?\b"
)
_STREET = re.compile(
    r"(?i)^(?:unit|suite|floor|p\.?o\.? box|box|postfach|postbus|postboks|flat|apt"
    r"|apartment|block|lot|zone|zona|z\.? ?[ai]\.?|pol\. ?ind)\b"
    r"|(?:str(?:a(?:ß|ss)e|\.)|weg|platz|allee|gasse|street|road"
    r"|avenue|lane|straat|laan|plein|gade|vej|gatan|vägen|vía)\W*\d{1,4}\W?[a-z]?$"
    r"|^c/|^(?:av|avda|pg|bd|al|os|pl|pza)\. "
    r"|^\d{1,4}(?: ?(?:bis|ter))?,? (?:chemin|route|rue|avenue|av|bd|boulevard|place|allée|impasse|quai|cours)\b"
    r"|^(?:chemin|route|place|impasse|quai|boulevard|corso|largo|travessa|praça|carrer)\b"
    r"|^(?:rue|via|viale|calle|rua|ul|gran vía|avenida|plaza|piazza|\d{1,4},? rue)\b"
)
_SEPARATORS = re.compile(r"\s+[●•·|∙*◦■–—/-]\s*|\s*[●•·|∙◦■]\s+|,\s+")
_NOT_A_NAME = re.compile(
    r"(?i)@|www\.|https?:|\btel\b|\bfax\b|phone|\biban\b|\bbic\b|^\W*\d[\d\s.,/-]*$|\bgln\b|\bu?st\W?-?id|^(?:seite|page|pagina|página|strona|sida|side)\b"
    r"|rechnung|invoice|credit note|gutschrift|kreditnota|^avoir|facture|fattura|factura|factuur|faktura|fatura"
    r"|receipt|quittung|^copy|kopie|stylesheet|beispiel-|"
    r"^(?:herrn?|frau|mr|mrs|ms|m\.|mme|name|firma|company|an|to|an die|c/o|z\. ?hd\.?|t\.a\.v\.|att\.?|attn)\.?:?$"
    r"|^(?:deutschland|germany|france|italia|españa|nederland|sverige|danmark|polska|portugal|österreich|schweiz)$"
    r"|\b(?:nr|no|n°)\.? ?\d|^(?:mit )?freundlich|regards$|^cordial|^salud|^med v[eä]n|^vriendelijk|^z powa"
    r"|^united kingdom$|(?<![^\W_])(?:van|von|of|of the|der|die|di|af|av|för|für|to the|sehr geehrte.*)$"
    r"|^(?:accounts? (?:payable|department)|(?:kreditoren)?buchhaltung|service comptab|comptabilit|administra[a-z]*$)"
)
_TITLE = re.compile(
    r"(?i)^(?:herrn?|frau|firma|mr|mrs|ms|an|to|att\.?|attn|name|spett(?:\.le|abile)|ex\.?mo?\W*s?\W*s(?:enhor|r)\W*(?:es|s)?\W*|aan|till|til"
    r"|firmy?|pan|pani|monsieur|madame)\.?:?$"
)
_PERSON = re.compile(r"(?i)^(?:herrn?|frau|mr|mrs|ms|m|mme|mlle|sig|dhr|mevr|pan|pani|sr|sra)\.?\s+\S")
_NUMBERED = re.compile(r"[^\W\d_][^\d,]{3,} \d{1,3} ?[a-zA-Z]?")  # a house in a street
_DAY = re.compile(r"(?<!\d)\d{1,2}\.? (?:de )?[^\W\d_]{3,}\.? (?:de )?\d{4}(?!\d)")
_DESK = re.compile(r"t\W?a\W?v")  # somebody at the firm that stands above
_GREETED = re.compile(rf"spett|{_DESK.pattern}")  # a name follows without a colon
_PREFIX = re.compile(r"(?i)^(?:(?:name|firma|company|attn|an|to)\s*[:.]|spett(?:\.le|abile)\.?|a/c)\s*")
_REACHED = re.compile(
    r"(?i)@|www\.|https?:|(?<![^\W_])(?:tel|fon|phone|fax|mobil|e-?mail|hrb|siret|rcs|kvk|cvr|org\.? ?nr)(?![^\W_])"
)


_LEVEL = 6.0  # points: names this near stand side by side
_MARGIN = 0.8  # by which seller and buyer must fit better than the other way round


@dataclass(frozen=True, slots=True)
class _Name:
    text: str
    score: float
    evidence: str
    cell: SheetCell
    said: str = ""


@dataclass(frozen=True, slots=True)
class InvoiceParties:
    supplier: InvoiceFinding[str] | None
    buyer: InvoiceFinding[str] | None


def parties(sheet: InvoiceSheet, own: Sequence[str] = ()) -> InvoiceParties:
    """`own` are names of our own house: whoever bears one is the buyer, never the supplier."""
    ours = tuple(plain_name(name) for name in own if name.strip())
    senders = _sender_lines(sheet)
    blocks = list(_blocks(sheet, senders))
    buyers = sorted(_buyers(sheet, ours, senders, blocks), key=lambda name: -name.score)[:6]
    billed = {(name.cell.line, name.cell.start) for name in buyers if name.evidence == "label"}
    sellers = [
        name
        for name in _sellers(sheet, senders, blocks)
        if not is_one_of(name.text, ours)
        and (name.evidence == "label" or (name.cell.line, name.cell.start) not in billed)
    ]
    sellers = sorted(sellers, key=lambda name: -name.score)[:6]
    pairs = [
        (seller.score + buyer.score, seller, buyer)
        for seller in sellers
        for buyer in buyers
        if plain_name(seller.text) != plain_name(buyer.text)
    ]
    if pairs:
        best, seller, buyer = max(pairs, key=lambda pair: pair[0])
        if _could_be_swapped(best, seller, buyer, pairs):
            seller = replace(seller, evidence="one of two", said="its place, which fits another name as well")
        return InvoiceParties(_found(seller), _found(buyer))
    seller_alone = sellers[0] if sellers else None
    buyer_alone = buyers[0] if buyers and seller_alone is None else None
    return InvoiceParties(_found(seller_alone), _found(buyer_alone))


def _could_be_swapped(best: float, seller: _Name, buyer: _Name, pairs: Sequence[tuple[float, _Name, _Name]]) -> bool:
    """Whether the other way round fits nearly as well, or it is only a legal form that makes a name below or beside
    the other the seller's."""
    swapped = (plain_name(buyer.text), plain_name(seller.text))
    if any(best - score < _MARGIN and (plain_name(a.text), plain_name(b.text)) == swapped for score, a, b in pairs):
        return True
    if seller.evidence not in ("legal form", "address") or buyer.evidence != "address":
        return False
    level = abs(seller.cell.box[1] - buyer.cell.box[1]) < _LEVEL
    return level or buyer.cell.line < seller.cell.line or _in_window(seller.cell)


def _found(name: _Name | None) -> InvoiceFinding[str] | None:
    if name is None:
        return None
    cell = name.cell
    return InvoiceFinding(
        name.text, name.evidence, cell.page, cell.box, cell.line, f"By {name.said or 'its ' + name.evidence}."
    )


def plain_name(name: str) -> str:
    """Letters and digits only, the way a domain writes them: `Müller` and `mueller` are the same."""
    return re.sub(r"[^a-z0-9]", "", re.sub(r"(?<=[aou])e", "", flat(name)))


def is_one_of(name: str, ours: Sequence[str]) -> bool:
    """Whether a name on paper is one of ours (`plain_name` of each): in whole words of it, or it is the beginning."""
    if not ours:
        return False
    words = [plain_name(word) for word in re.split(r"[^\w&]+", name)]
    runs = {"".join(words[start:end]) for start in range(len(words)) for end in range(start + 1, len(words) + 1)}
    plain = "".join(words)
    return any(our in runs or (len(plain) > 6 and our.startswith(plain)) for our in ours if our)


def _clean(text: str) -> str:
    return _PREFIX.sub("", " ".join(text.split())).strip(" ,;:|●•·-–").strip()


def _usable(text: str) -> bool:
    wordy = bool(re.search(r"[^\W\d_]{2}", text)) and not re.search(r"\d{5}|\d[.,]\d{2}", text)
    return 2 < len(text) <= 70 and wordy and ":" not in text and not _NOT_A_NAME.search(text) and not _DAY.search(text)


def _sellers(sheet: InvoiceSheet, senders: _Senders, blocks: Sequence[list[SheetCell]]) -> Iterator[_Name]:
    yield from _labelled(sheet, "seller", 6.0)
    for cell, name in senders:
        yield _Name(name, 5.0 + 0.5 * bool(_LEGAL.search(name)), "sender line", cell)
    heads = {id(block[0]) for block in blocks}
    for rank, cell in enumerate(_first_page(sheet)):
        heads_block = id(cell) in heads
        if not heads_block and (not _LEGAL.search(cell.text) or _heads_a_column(cell)):
            continue
        text = _clean(_before_address(cell.text))
        legal = _ends_in_legal_form(text)
        if _usable(text) and (legal or heads_block):
            score = 2.5 * legal + 1.2 * heads_block - 0.02 * rank + 0.7 * (rank == 0) + _place(sheet, cell, text)
            score -= 0.8 * (heads_block and _in_window(cell))
            yield _Name(text, score, "legal form" if legal else "address", cell)
    for cell in sheet.cells():
        if _usable(cell.text) and not cell.labels and cell.page == 1 and not _STREET.search(cell.text):
            yield _Name(_clean(cell.text), 0.1, "place at the top", cell)
            break


def firms_at_the_head(sheet: InvoiceSheet) -> Iterator[str]:
    """Names with a legal form above all that is charged."""
    for cell in _head(sheet):
        for part in re.split(r",\s+|:\s+|\s+[●•·|∙◦■–—-]\s+", cell.text):
            name = _clean(part)
            firm = _usable(name) and _ends_in_legal_form(name) and not re.search(r"\d|(?<= )Ek$", name)  # Maja Ek
            if firm and not _heads_a_column(cell):
                yield name


def names_at_the_head(sheet: InvoiceSheet) -> Iterator[str]:
    """Whatever may be a name above all that is charged."""
    for cell in _head(sheet):
        if not cell.labels and _usable(name := _clean(cell.text)) and not re.search(r"\d", name):
            yield name


def _head(sheet: InvoiceSheet) -> Iterator[SheetCell]:
    """The cells of the first page till the first line that holds money."""
    for row in sheet.rows:
        if row and (row[0].page > 1 or any(token.decimals == 2 for token in sheet.lines[row[0].line].tokens)):
            return
        yield from row


def _heads_a_column(cell: SheetCell) -> bool:
    """`Menge kg` is no company."""
    return any(
        kind.startswith("column.") and label.start == cell.start for label in cell.labels for kind in label.kinds
    )


def _place(sheet: InvoiceSheet, cell: SheetCell, text: str) -> float:
    """What the surroundings of a name say for or against a seller."""
    score = 0.8 * (cell.box[1] < 300) + 0.3 * (cell.box[0] > 300) + 0.4 * _repeated(sheet, text)
    score += 0.8 * _is_reached(sheet, cell) - 3.0 * _captioned(sheet, cell) - 1.5 * _near_label(sheet, cell)
    return score - 2.0 * (bool(_PERSON.match(text)) or _under_a_person(sheet, cell))


def _in_window(cell: SheetCell) -> bool:
    """Where an envelope shows the address of whom it is sent to."""
    return cell.box[0] < 120 and 90 < cell.box[1] < 260


def _is_reached(sheet: InvoiceSheet, cell: SheetCell) -> bool:
    """Whether a telephone, a web address or a register number stands under the name, in its column."""
    return any(_REACHED.search(other.text) for other in below(sheet, cell, reach=75.0))


def _captioned(sheet: InvoiceSheet, cell: SheetCell) -> bool:
    """`Company:  Lund AB` on a hotel's bill is the guest's; a seller's caption was looked for before."""
    beside = next(iter(left_of(sheet, cell)), None)
    return beside is not None and beside.text.rstrip().endswith(":") and cell.box[0] - beside.box[2] < 90


def _under_a_person(sheet: InvoiceSheet, cell: SheetCell) -> bool:
    """The firm of somebody who is written to."""
    over = next(iter(_above(sheet, cell)), None)
    near = over is not None and cell.box[1] - over.box[1] < 30
    return over is not None and near and bool(_PERSON.match(over.text) or _TITLE.match(over.text.strip()))


_Senders = Sequence[tuple[SheetCell, str]]


def _sender_lines(sheet: InvoiceSheet) -> _Senders:
    found = []
    for row in sheet.rows:
        for cell in _rejoined(row):
            if cell.page == 1 and cell.box[1] < 330 and (name := _sender_line(cell)):
                over = None if _LEGAL.search(name) else next(_above(sheet, cell), None)
                headed = over is not None and cell.box[1] - over.box[1] < 16 and _usable(_clean(over.text))
                found.append((over, _clean(over.text)) if over is not None and headed else (cell, name))
    return found


def _rejoined(row: Sequence[SheetCell]) -> list[SheetCell]:
    """Cells that a separator ties together are one again: `Mill Ltd  | 1 Road  | Town`."""
    joined: list[SheetCell] = []
    for cell in row:
        if joined and (cell.text[0] in "●•·|" or joined[-1].text[-1] in "●•·|"):
            last = joined[-1]
            joined[-1] = replace(last, text=f"{last.text} {cell.text}", end=cell.end)
        else:
            joined.append(cell)
    return joined


def _first_page(sheet: InvoiceSheet) -> Iterator[SheetCell]:
    return (cell for cell in sheet.cells() if cell.page == 1)


def _repeated(sheet: InvoiceSheet, text: str) -> int:
    return min(2, sheet.tokens.text.count(text) - 1)


def _ends_in_legal_form(text: str) -> bool:
    matches = list(_LEGAL.finditer(text))
    if not matches or len(text.split()) > 9 or re.search(r"\d\s*$", text[: matches[-1].start()]):
        return False  # "5 kg" is no company
    apart = text[matches[-1].start() - 1 : matches[-1].start()] in (" ", ",", ".", "(")  # not "CHF/kg"
    ends = len(text) - matches[-1].end() <= 3 and matches[-1].start() > 1 and apart
    return ends or (matches[0].start() == 0 and bool(re.match(r"(?:SARL|SAS|EURL|SA|AB|PT|Fa\.) (?!au )\S", text)))


def _before_address(text: str) -> str:
    parts = _SEPARATORS.split(text)
    return parts[0] if len(parts) > 1 and any(_POSTCODE.search(part) for part in parts[1:]) else text


def _sender_line(cell: SheetCell) -> str:
    """`Mill & Co Ltd · 1 Bridge Road · 12345 Town`: name, street and town on one line."""
    parts = [part.strip() for part in _SEPARATORS.split(cell.text) if part.strip()]
    if len(parts) < 3 or not _POSTCODE.search(" " + " ".join(parts[2:])):
        return ""
    name = _clean(parts[0])
    named = _usable(name) and not re.search(r"\d{3}", name) and not _STREET.search(name)
    return name if named and len(cell.text) < 130 else ""


def _labelled(sheet: InvoiceSheet, kind: str, score: float) -> Iterator[_Name]:
    """The name behind, beside or under a label; under a heading, the line called "Name" if there is one."""
    for cell in sheet.cells():
        for label in cell.labels:
            if label.strength(kind) < 3:
                continue
            line = sheet.lines[cell.line].text
            before, behind = line[cell.start : label.start].strip(), line[label.end : cell.end]
            if before and not before.endswith((":", "/", "-")):
                continue
            if label.end - label.start <= 4 and len(sheet.rows[cell.line]) > 2 and ":" not in cell.text:
                continue  # "From  To  Departure" are columns
            said = f"the label “{line[label.start : label.end]}”"
            name, said_as = _clean(behind.removeprefix(".")), flat(line[label.start : label.end])
            power = score if cell.page == 1 and cell.box[1] < 480 else score - 2.0
            power -= bool(_DESK.match(said_as))
            if (behind.lstrip().startswith(":") or _GREETED.match(said_as)) and _usable(name):
                yield _Name(name, power, "label", cell, said)
            elif not name or name.startswith("/"):
                yield from _under(sheet, cell, power, said)


def _under(sheet: InvoiceSheet, cell: SheetCell, score: float, said: str) -> Iterator[_Name]:
    for other in right_of(sheet, cell)[:1]:
        named = _usable(_clean(other.text)) and not other.labels and not other.text.rstrip().endswith(":")
        if cell.text.rstrip().endswith(":") and named:
            yield _Name(_clean(other.text), score, "label", other, said)
            return
    lower = below(sheet, cell, reach=80.0)
    for other in lower[:4]:
        if re.match(r"(?i)name\s*:?$", other.text):
            if value := next(iter(right_of(sheet, other)), None):
                yield _Name(_clean(value.text), score + 0.5, "label", value, said)
            return
    for other in lower[:5]:
        text = _clean(other.text)
        if _STREET.search(text):
            return
        if _usable(text) and not _is_caption(sheet, other) and other.box[0] - cell.box[0] < 60:
            yield _Name(text, score - 0.5, "label", other, said)
            return


def _is_caption(sheet: InvoiceSheet, cell: SheetCell) -> bool:
    """`Number  : 17` is about the party, but not its name."""
    beside = next(iter(right_of(sheet, cell)), None)
    return ":" in cell.text or (beside is not None and beside.text.startswith(":"))


def _near_label(sheet: InvoiceSheet, cell: SheetCell) -> bool:
    """Whether something over the cell, in its column, calls it the buyer."""
    for line in range(cell.line, max(cell.line - 5, -1), -1):
        for other in sheet.rows[line]:
            over = other.page == cell.page and shares_width(other.box, cell.box, 0)
            if over and any(_bills(label) and label.start - other.start < 3 for label in other.labels):
                return True
    return False


def _bills(label: InvoiceLabel) -> bool:
    return max(label.strength("buyer"), label.strength("delivery")) >= 3


def _blocks(sheet: InvoiceSheet, sent: _Senders) -> Iterator[list[SheetCell]]:
    """Names over streets over towns, in one column: addresses as on an envelope."""
    senders = {(cell.line, cell.start) for cell, _ in sent}
    for cell in _first_page(sheet):
        if not _POSTCODE.search(" " + cell.text) or len(cell.text) > 60 or len(_SEPARATORS.split(cell.text)) > 3:
            continue
        if _is_dated(sheet, cell):
            continue
        block = [cell]
        pitch = 0.0
        for upper in _above(sheet, cell):
            step = block[0].box[1] - upper.box[1]
            pitch = pitch or max(step, 9.0)
            if step > 1.35 * pitch or pitch > 46.0 or len(block) == 6:
                break
            if (upper.line, upper.start) in senders or _is_heading(upper) or _ends_an_address(upper):
                break
            block.insert(0, upper)
        while len(block) > 1 and (not _can_head(block[0].text.strip()) or _sums_up(block[0])):
            block.pop(0)
        if len(block) >= 2 and not _STREET.search(block[0].text) and not _NUMBERED.fullmatch(block[0].text):
            yield block


def _is_dated(sheet: InvoiceSheet, cell: SheetCell) -> bool:
    """`F-2025-112 du 3 mai`, `2450 av 22 450,00`: digits and a word, but no town."""
    tokens = [token for token in sheet.lines[cell.line].tokens if cell.start <= token.start < cell.end]
    told = any(max(label.strength("number"), label.strength("issue_date")) >= 3 for label in cell.labels)
    return told or any(token.kind is TokenKind.DATE or token.decimals == 2 for token in tokens)


def _ends_an_address(cell: SheetCell) -> bool:
    """`Herrn`, `Bill to:`, or the town of another address: what follows is an address of its own."""
    text = cell.text.strip()
    return text.endswith(":") or bool(_TITLE.match(text)) or bool(_POSTCODE.search(" " + text))


def _can_head(text: str) -> bool:
    """A name, and neither a title such as `Herrn` nor a caption such as `Faktureres til:`."""
    return not text.endswith(":") and not _TITLE.match(text) and _usable(_clean(text))


def _sums_up(cell: SheetCell) -> bool:
    return any(label.strength(kind) >= 3 for label in cell.labels for kind in ("gross", "net", "tax"))


def _is_heading(cell: SheetCell) -> bool:
    """`Invoice to:` over an address, or the head of a column; but `Kunde AG` is a name."""
    bare = 3 if cell.text.endswith(":") else len(cell.text)
    headed = ("buyer", "delivery", "column.description", "column.quantity", "column.price", "column.total")
    return any(
        label.end - label.start >= bare and any(label.strength(kind) >= 3 for kind in headed) for label in cell.labels
    )


def _above(sheet: InvoiceSheet, cell: SheetCell) -> Iterator[SheetCell]:
    for line in range(cell.line - 1, max(cell.line - 14, -1), -1):
        for other in sheet.rows[line]:
            if other.page == cell.page and abs(other.box[0] - cell.box[0]) <= 6:
                yield other


def _buyers(
    sheet: InvoiceSheet, ours: Sequence[str], senders: _Senders, blocks: Sequence[list[SheetCell]]
) -> Iterator[_Name]:
    yield from _labelled(sheet, "buyer", 6.0)
    yield from _labelled(sheet, "delivery", 5.0)
    for cell in _first_page(sheet) if ours else ():
        text = _clean(cell.text)
        if is_one_of(text, ours) and _usable(text):
            yield _Name(text, 8.0, "own name", cell)
    for cell, named in senders:
        if is_one_of(named, ours):
            yield _Name(named, 8.0, "own name", cell)
    sent = {(cell.line, cell.start) for cell, _ in senders}
    letterhead = next(_first_page(sheet), None)
    for block in blocks:
        name = _clean(block[0].text)
        over = next(iter(_above(sheet, block[0])), None)
        sender = over is not None and (over.line, over.start) in sent
        legal = _ends_in_legal_form(name)
        titled = (over is not None and bool(_TITLE.match(over.text.strip()))) or bool(_PERSON.match(name))
        score = 1.0 + 3.0 * sender + 1.5 * _in_window(block[0]) + 2.0 * titled - 0.8 * legal
        score -= 0.6 * (block[0].box[0] > 300) + 1.2 * (block[0] is letterhead)
        firm = block[1] if _PERSON.match(name) and len(block) > 2 and _ends_in_legal_form(block[1].text) else None
        yield _Name(_clean(firm.text) if firm else name, score, "address", firm or block[0])
