"""The archive: files under keys, written once, in a folder or a bucket that a URL names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from postroom.outside.blobs.port import Archive, Blob
from postroom.outside.blobs.urls import place

__all__ = ["Archive", "Blob", "open_blobs"]


def open_blobs(url: str, *, options: Mapping[str, str], now: Callable[[], datetime]) -> Archive:
    """Opened without touching it. `options` are environment names: AWS_*, AZURE_*, GOOGLE_*, STORAGE_*."""
    at = place(url)
    match at.scheme:
        case "file":
            from postroom.outside.blobs.folder import FolderBlobs

            return FolderBlobs(at.folder)
        case "gs":
            from postroom.outside.blobs.gcs import open_gcs

            return open_gcs(at.bucket, at.prefix, options, now)
        case "s3":
            from postroom.outside.blobs.buckets import open_s3

            return open_s3(at.bucket, at.prefix, options)
        case "az":
            from postroom.outside.blobs.buckets import open_azure

            return open_azure(at.bucket, at.prefix, options)
