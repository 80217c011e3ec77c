"""What people do about tenants, people, keys, and coming in."""

from postroom.rooms.tenants.commands.people import (
    add_person,
    change_person,
    create_key,
    create_tenant,
    ensure_tenant,
    find_tenant,
    hash_password,
    revoke_key,
    who_holds,
)
from postroom.rooms.tenants.commands.policy import change_policy, change_retention, change_sending, retention, sending
from postroom.rooms.tenants.commands.presence import look, look_away
from postroom.rooms.tenants.commands.signin import (
    SignInSource,
    change_own_password,
    end_other_sessions,
    end_session,
    enter_with_link,
    enter_with_oidc,
    enter_with_password,
    make_link,
    owner_of_link,
    who_is_in,
)

__all__ = [
    "SignInSource",
    "add_person",
    "change_own_password",
    "change_person",
    "change_policy",
    "change_retention",
    "change_sending",
    "create_key",
    "create_tenant",
    "end_other_sessions",
    "end_session",
    "ensure_tenant",
    "enter_with_link",
    "enter_with_oidc",
    "enter_with_password",
    "find_tenant",
    "hash_password",
    "look",
    "look_away",
    "make_link",
    "owner_of_link",
    "retention",
    "revoke_key",
    "sending",
    "who_holds",
    "who_is_in",
]
