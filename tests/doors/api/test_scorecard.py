"""Confirming by itself over the API: switching it, and the figures that speak for or against it."""

from __future__ import annotations


async def test_a_pipeline_of_a_mailbox_is_switched_and_the_other_stays(api):
    path = f"/mailboxes/{api.ours['mailbox_id']}"
    before = (await api.by("viewer").get(path)).json()["confirming"]
    after = await api.by("admin").patch(path, json={"confirming": {"ap_invoices": "shadow"}})
    odd = await api.by("admin").patch(path, json={"confirming": {"ap_invoices": "maybe"}})
    small = await api.by("operator").patch(path, json={"confirming": {"ap_invoices": "on"}})

    assert {"pad_contract_notes": "on", "ap_invoices": "on"} == before
    assert {"pad_contract_notes": "on", "ap_invoices": "shadow"} == after.json()["confirming"]
    assert (422, 403) == (odd.status_code, small.status_code)


async def test_other_rules_leave_it_as_it_is(api):
    path = f"/mailboxes/{api.ours['mailbox_id']}"
    await api.by("admin").patch(path, json={"confirming": {"ap_invoices": "off"}})
    after = await api.by("admin").put(f"{path}/rules", json={"rules": {"deny_files": ["*logo*"]}})

    assert "off" == after.json()["confirming"]["ap_invoices"]


async def test_the_scorecard_has_every_part_also_when_nothing_was_judged(api):
    found = await api.by("viewer").get("/scorecard", params={"days": 30, "pipeline": "ap_invoices"})

    assert 200 == found.status_code, found.text
    assert {"since", "said", "every", "pipelines", "weeks", "bands", "senders"} == set(found.json())
    assert 422 == (await api.by("viewer").get("/scorecard", params={"pipeline": "faxes"})).status_code


async def test_a_dry_run_says_what_a_threshold_would_change_and_keeps_nothing(api):
    before = (await api.by("admin").get("/policy")).json()
    tried = await api.by("admin").patch("/policy?dry_run=true", json={"documents": {"sure_enough": 0.97}})
    after = (await api.by("admin").get("/policy")).json()

    assert 200 == tried.status_code, tried.text
    assert (0.97, before["version"]) == (tried.json()["documents"]["sure_enough"], tried.json()["version"])
    assert {"said", "judged", "before", "after", "more", "more_right", "more_wrong", "fewer", "fewer_right"} <= set(
        tried.json()["effect"]
    )
    assert before == after
