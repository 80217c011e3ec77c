"""Keeps the walk going: the job queue (lanes), attempts and retries, facts, the audit chain and the live feed.

Owns: job, job_payload, attempt, fact, seal, worker, timetable, provider_slot, provider_quota, provider_wait,
      idempotency, house, disposition (which sync opens when a message arrives).
"""
