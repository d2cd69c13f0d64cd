"""Uploads to sources of kind `upload` with the tus 1.0 protocol, for both clients."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path

import httpx

from .errors import AssayApiError
from .request import Outgoing

_protocol = {"Tus-Resumable": "1.0.0"}
_chunk_bytes = 16 * 1024 * 1024


@dataclass(frozen=True)
class Upload:
    source_id: str
    path: str
    """Path inside the uploaded folder, with `/` as separator."""
    content: Path
    """The local file."""


def creation(file: Upload) -> Outgoing:
    metadata = {"source_id": file.source_id, "path": file.path, "sha256": _sha256_of(file.content)}
    headers = {
        **_protocol,
        "Upload-Length": str(file.content.stat().st_size),
        "Upload-Metadata": ",".join(
            f"{name} {b64encode(value.encode()).decode()}" for name, value in metadata.items()
        ),
    }
    return Outgoing("POST", "/v1/uploads", may_repeat=False, headers=headers)


def created(answer: httpx.Response) -> str:
    place = answer.headers.get("location")
    if place is None:
        raise AssayApiError("unexpected_answer", f"the response of {answer.url} has no Location header")
    return str(answer.url.join(place))


def offset_request(url: str) -> Outgoing:
    return Outgoing("HEAD", url, may_repeat=True, headers=_protocol)


def offset_of(answer: httpx.Response) -> int:
    """Number of bytes that the service has received."""
    offset = answer.headers.get("upload-offset")
    if offset is None:
        raise AssayApiError("unexpected_answer", f"the response of {answer.url} has no Upload-Offset header")
    return int(offset)


def chunk_of(file: Upload, url: str, offset: int) -> Outgoing | None:
    """The next chunk; None if the upload is complete."""
    if offset >= file.content.stat().st_size:
        return None
    with file.content.open("rb") as opened:
        opened.seek(offset)
        content = opened.read(_chunk_bytes)
    headers = {
        **_protocol,
        "Content-Type": "application/offset+octet-stream",
        "Upload-Offset": str(offset),
    }
    return Outgoing("PATCH", url, may_repeat=False, headers=headers, content=content)


def _sha256_of(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()
