"""Tenants, their people and their keys: who may come in, and as what.

In: a person at the command line, the console or the API.
Out: TenantCreated, PersonAdded, PersonChanged, KeyCreated, KeyRevoked.
Owns: tenant, person, api_key.
"""
