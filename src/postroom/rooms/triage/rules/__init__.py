"""Decisions about threads: values in, a value with its reason out."""
