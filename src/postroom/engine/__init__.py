"""Keeps the walk going: lanes of jobs, attempts and retries, facts, their seal and their feed."""
