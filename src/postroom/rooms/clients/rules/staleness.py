"""Whether a suggestion rests on something that may no longer hold, or never was clear."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import combinations

from postroom.nouns.clients import AccountId, Email
from postroom.nouns.counting import count
from postroom.rooms.clients.rules import words
from postroom.rooms.clients.rules.known import Known

NOTHING = Decimal("0.00")
CENT = Decimal("0.01")


@dataclass(frozen=True)  # without slots: `StalenessConfig.MAPPING_STALENESS_DAYS` is 90 on the class too
class StalenessConfig:
    """What each doubt costs, and after how many days a mapping is old. A tenant may have its own."""

    MAPPING_STALENESS_DAYS: int = 90
    MULTI_ACCOUNT_PENALTY: Decimal = Decimal("0.25")
    MIXED_THREAD_PENALTY: Decimal = Decimal("0.35")
    SUBJECT_CHANGE_PENALTY: Decimal = Decimal("0.15")
    STALE_MAPPING_PENALTY: Decimal = Decimal("0.30")


@dataclass(frozen=True, slots=True)
class StalenessDoubt:
    """A doubt, what it costs, and whether a person has to look whatever is left."""

    because: str
    penalty: Decimal
    needs_triage: bool = True

    def __str__(self) -> str:
        return f"{self.because} (penalty: {self.penalty:.2f})"


class StalenessDetector:
    """Penalties add up, down to nothing."""

    def __init__(self, known: Known | None = None, config: StalenessConfig | None = None) -> None:
        self.known, self.config = known or Known(), config or StalenessConfig()

    def detect_staleness(self, email: Email, suggested_confidence: Decimal) -> tuple[Decimal, list[str], bool]:
        """The confidence that is left, why some of it is gone, and whether a person must decide."""
        doubts = self.doubts(email)
        left = suggested_confidence - sum((doubt.penalty for doubt in doubts), NOTHING)
        return max(left, NOTHING).quantize(CENT), [str(doubt) for doubt in doubts], any(d.needs_triage for d in doubts)

    def doubts(self, email: Email) -> list[StalenessDoubt]:
        checks = (
            self._check_multi_account_contact,
            self._check_mixed_client_thread,
            self._check_subject_change_in_thread,
            self._check_stale_prior_mapping,
        )
        return [doubt for check in checks if (doubt := check(email)) is not None]

    def _check_multi_account_contact(self, email: Email) -> StalenessDoubt | None:
        """A person's choice for this sender settles it."""
        if email.sender is None or (self.known.choice and self.known.choice.account_id):
            return None
        if len(self.known.accounts_by_contact(email.sender)) < 2:
            return None
        said = "Contact email associated with multiple accounts"
        return StalenessDoubt(said, self.config.MULTI_ACCOUNT_PENALTY)

    def _check_mixed_client_thread(self, email: Email) -> StalenessDoubt | None:
        """Two take part who have no account in common."""
        groups = [set(group) for group in self._clients_in_thread(email) if group]
        if all(one & other for one, other in combinations(groups, 2)):
            return None
        return StalenessDoubt("Thread contains mixed clients", self.config.MIXED_THREAD_PENALTY)

    def _clients_in_thread(self, email: Email) -> list[Sequence[AccountId]]:
        """The account of every earlier mail that is surely mapped; of the others, of everyone who takes part."""
        groups: list[Sequence[AccountId]] = []
        for each in (email, *email.thread):
            if each.mapped and each.mapped.status == "ignored":
                continue
            if each.mapped and each.mapped.is_confident and each.mapped.account_id:
                groups.append([each.mapped.account_id])
            else:
                groups += [self.known.accounts_of(person) for person in (each.sender, *each.recipients) if person]
        return groups

    def _check_subject_change_in_thread(self, email: Email) -> StalenessDoubt | None:
        """Prefixes and codes aside. A mail without a subject changes nothing."""
        codes = [code.key for code in self.known.codes]
        subjects = {words.bare_subject(each.subject, codes) for each in (email, *email.thread)} - {""}
        if not email.thread or len(subjects) < 2:
            return None
        said = "Subject changes across thread"
        return StalenessDoubt(said, self.config.SUBJECT_CHANGE_PENALTY, needs_triage=False)

    def _check_stale_prior_mapping(self, email: Email) -> StalenessDoubt | None:
        """Of the thread or of the sender, whichever is newer. No earlier mapping is no stale one."""
        days, last = self.config.MAPPING_STALENESS_DAYS, self._last_confident(email)
        if email.date is None or last is None or email.date - last <= timedelta(days=days):
            return None
        said = f"Last confident mapping is older than {count(days, 'day')}"
        return StalenessDoubt(said, self.config.STALE_MAPPING_PENALTY)

    def _last_confident(self, email: Email) -> datetime | None:
        past = () if self.known.writes_for_all(email.sender) else self.known.history
        moments = [each.at for each in past if each.is_confident]
        for each in email.thread:
            if each.mapped is not None:
                moments += [each.mapped.at] if each.mapped.is_confident else []
            elif each.sender and each.date and len(self.known.accounts_of(each.sender)) == 1:
                moments.append(each.date)
        return max(moments, default=None)
