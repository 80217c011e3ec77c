"""Questions of the same moment are asked once, and whoever leaves or fails harms no other."""

from __future__ import annotations

import asyncio

import pytest

from postroom.db import gathering
from postroom.db.gathering import SharedQuestion


class Book:
    """Knows the length of each word, but for empty ones, and what it was asked."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []
        self.opened, self.open = asyncio.Event(), asyncio.Event()
        self.open.set()

    async def lengths(self, words: list[str]) -> dict[str, int]:
        self.asked.append(words)
        self.opened.set()
        await self.open.wait()
        if "?" in words:
            raise LookupError("No such word.")
        return {word: len(word) for word in words if word}


async def test_who_asks_in_the_same_turn_shares_a_question_and_gets_their_own_answer():
    book = Book()
    gathered = SharedQuestion(book.lengths)

    answers = await asyncio.gather(gathered.answers("one"), gathered.answers("three", "one"), gathered.answers(""))

    assert [{"one": 3}, {"three": 5, "one": 3}, {}] == answers
    assert [["one", "three", ""]] == book.asked


async def test_who_asks_while_a_question_is_under_way_asks_the_next():
    book = Book()
    book.open.clear()
    gathered = SharedQuestion(book.lengths)
    first = asyncio.create_task(gathered.answers("one"))
    await book.opened.wait()
    second = asyncio.create_task(gathered.answers("three"))
    book.open.set()

    assert ({"one": 3}, {"three": 5}) == (await first, await second)
    assert [["one"], ["three"]] == book.asked


async def test_whoever_leaves_takes_nobodys_answer_along():
    book = Book()
    book.open.clear()
    gathered = SharedQuestion(book.lengths)
    leaving, staying = (asyncio.create_task(gathered.answers(word)) for word in ("one", "three"))
    await book.opened.wait()
    leaving.cancel()
    book.open.set()

    assert {"three": 5} == await staying


async def test_what_fails_fails_for_all_who_asked_and_for_nobody_later():
    gathered = SharedQuestion(Book().lengths)

    found = await asyncio.gather(gathered.answers("one"), gathered.answers("?"), return_exceptions=True)

    assert [LookupError, LookupError] == [type(each) for each in found]
    assert {"one": 3} == await gathered.answers("one")


async def test_in_a_burst_a_question_waits_a_moment_for_others_and_the_first_does_not(monkeypatch):
    monkeypatch.setattr(gathering, "BURST_SECONDS", 60.0)
    book = Book()
    gathered = SharedQuestion(book.lengths, in_burst=0.2)
    began = asyncio.get_running_loop().time()
    await gathered.answers("one")
    assert asyncio.get_running_loop().time() - began < 0.2

    second = asyncio.create_task(gathered.answers("three"))
    await asyncio.sleep(0.05)
    third = asyncio.create_task(gathered.answers("seven"))
    await asyncio.gather(second, third)

    assert [["one"], ["three", "seven"]] == book.asked


@pytest.mark.filterwarnings("error")
async def test_a_failure_that_nobody_waits_for_any_more_is_no_noise():
    book = Book()
    book.open.clear()
    gathered = SharedQuestion(book.lengths)
    leaving = asyncio.create_task(gathered.answers("?"))
    await book.opened.wait()
    leaving.cancel()
    book.open.set()
    await asyncio.sleep(0.01)

    assert leaving.cancelled()


async def test_a_question_that_was_stopped_before_it_was_asked_spoils_no_later_one():
    gathered = SharedQuestion(Book().lengths)
    before = asyncio.all_tasks()
    asking = asyncio.create_task(gathered.answers("one"))
    await asyncio.sleep(0)
    for task in asyncio.all_tasks() - before:
        task.cancel()
    await asyncio.gather(asking, return_exceptions=True)

    assert {"three": 5} == await gathered.answers("three")
