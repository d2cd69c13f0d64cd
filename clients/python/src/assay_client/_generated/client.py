# Written by `npm run generate` from src/core/api. Change it there.

"""The asynchronous client. `npm run generate` creates the synchronous `Client` from this file."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx

from .sync_nouns import Nouns
from .sender import Sender
from ..errors import failure_of
from ..options import CallOptions, Patience
from ..request import outgoing_of
from ..upload import Upload, chunk_of, created, creation, offset_of, offset_request


class Client(Nouns):
    """Client of an Assay service. Operations are grouped by resource: `client.runs.start(…)`.

    `address` and `token` default to the environment variables `ASSAY_ADDRESS` and `ASSAY_TOKEN`. `http`: your own httpx
    client, for proxies and certificates; it is not closed.
    """

    def __init__(
        self,
        address: str | None = None,
        token: str | None = None,
        *,
        patience: Patience | None = None,
        http: httpx.Client | None = None,
    ) -> None:
        self.address = (address or os.environ.get("ASSAY_ADDRESS") or "http://127.0.0.1:8420").rstrip("/")
        self._own = http is None
        self._http = http or httpx.Client()
        token = token or os.environ.get("ASSAY_TOKEN")
        if token is not None:
            self._http.headers["Authorization"] = f"Bearer {token}"
        self._sender = Sender(self._http, self.address, patience or Patience())
        super().__init__(self._sender)

    def download(
        self, operation_id: str, to: str | Path, *, options: CallOptions | None = None, **given: Any
    ) -> Path:
        """Streams a response to a file, which appears under its name when it is complete."""
        options = options or CallOptions()
        place = Path(to)
        half = place.with_name(f"{place.name}.part")
        timeout = httpx.Timeout(options.timeout_s or self._sender.patience.timeout_s)
        answer = self._sender.stream(outgoing_of(operation_id, given, options), timeout)
        try:
            with half.open("wb") as file:
                for chunk in answer.iter_bytes():
                    file.write(chunk)
            half.replace(place)
        except httpx.HTTPError as thrown:
            raise failure_of(self.address, thrown) from thrown
        finally:
            answer.close()
            half.unlink(missing_ok=True)
        return place

    def upload(self, file: Upload, *, upload_url: str | None = None) -> None:
        """Uploads a file to a source of kind `upload` in chunks, with the tus 1.0 protocol.

        `upload_url`: where a file goes on that was begun before, as `sources.list_files` says.
        """
        options = CallOptions()
        url = upload_url or created(self._sender.send(creation(file), options))
        offset = 0 if upload_url is None else offset_of(self._sender.send(offset_request(url), options))
        while (chunk := chunk_of(file, url, offset)) is not None:
            offset = offset_of(self._sender.send(chunk, options))

    def close(self) -> None:
        if self._own:
            self._http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, thrown: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
