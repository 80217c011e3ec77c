"""What commands print for programs that read along."""

from __future__ import annotations

from postroom.cli.printing import show


def test_a_table_in_a_pipe_keeps_each_row_on_one_line(capsys, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    address, because = "contract.notes@larkspur.example", "because " * 30

    show("Mailboxes", ["address", "because"], [[address, because.strip()]], empty="None.")

    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [["Mailboxes"], ["address", "because"], [address, *because.split()]] == lines
