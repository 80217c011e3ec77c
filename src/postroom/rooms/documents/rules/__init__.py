"""Decisions about documents: values in, a value with its reason out."""
