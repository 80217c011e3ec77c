"""Tenants, their people and their keys: who may come in, and as what.

In: a person at the command line, the console or the API.
Out: TenantCreated, PersonAdded, PersonChanged, KeyCreated, KeyRevoked, SecurityNoted (who came in, who was refused).
Owns: tenant, person, api_key, session, signin_link, signin_try.
"""
