"""Decisions about evidence and drafts: values in, a value with its reason out."""
