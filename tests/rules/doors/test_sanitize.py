"""HTML of strangers: what is let through, and what is not even parsed."""

from __future__ import annotations

import pytest

from postroom.doors import sanitize

ATTACKS = {
    "lists in lists": "<ul><li>" * 25_000,
    "boxes in boxes": "<div>" * 15_000,
    "formatting that every paragraph rebuilds": "".join(f"<p><b class=c{number}>x" for number in range(2_000)),
    "very many attributes": "<p " + " ".join(f"a{number}" for number in range(20_000)) + ">x",
    "attributes after slashes": "<p " + "/a" * 20_000 + ">x",
    "ends that a table hides": "<div><table></div></table>" * 2_000,
    "ends of formatting that leave the boxes open": "<b><div></b>" * 2_000,
    "ends in comments": "<div><!--</div>-->" * 2_000,
    "ends in attributes": '<div title="></div>">' * 2_000,
    "ends in declarations": "<div><!x </div>" * 2_000,
    "nothing but brackets": "<" * 400_000,
    "comments that never end": "<!--" * 100_000,
    "quotes that never end": '<div a="' * 50_000,
}
NEWSLETTER = "<table><tr><td><p>Hello <b>you</b><br><img src=x></p></td></tr></table>" * 1_500


@pytest.mark.parametrize("html", ATTACKS.values(), ids=ATTACKS)
async def test_html_that_takes_a_parser_too_long_is_shown_as_text(html):
    clean = await sanitize.readable(html + "The words")
    assert "" == clean.html
    assert "only its text is shown" in clean.because


@pytest.mark.parametrize(
    "html",
    [
        NEWSLETTER,
        "<p>One<p>Two<li>Three" * 500,
        "<!--[if mso]><table><tr><td><![endif]-->" * 600,
        "<div>" * 90 + "x" + "</div>" * 90 + NEWSLETTER,
    ],
    ids=["a newsletter", "ends left out", "comments for one program", "deep but real"],
)
async def test_real_mail_is_shown_as_html(html):
    assert "" == sanitize.objection_to(html)


async def test_the_words_stay_when_the_html_is_not_parsed():
    html = "<style>p{color:red}</style><script>alert(1)</script>" + "<div>" * 2_000 + "Pay &amp; go<br>\n\n\nsoon"
    assert "Pay & go\nsoon" == (await sanitize.readable(html)).text


async def test_what_runs_or_reaches_out_is_gone():
    bad = (
        '<p onclick="x()">Pay</p><svg><script>1</script></svg><iframe src="https://evil.test">i</iframe>'
        '<a href="javascript:1">a</a><img src="https://spy.test/p.gif"><form action="/x"><input name=a></form>'
        '<math><mtext><img src=x onerror=1></mtext></math><object data="x">o</object>'
    )
    for clean in (await sanitize.readable(bad), await sanitize.as_sent(bad)):
        for word in ("onclick", "script", "evil.test", "spy.test", "onerror", "<form", "<input", "<svg", "<object"):
            assert word not in clean.html
    assert 1 == (await sanitize.readable(bad)).blocked
