"""The asynchronous client. `npm run generate` creates the synchronous `Client` from this file."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx

from ._generated.aio_nouns import AsyncNouns
from .async_sender import AsyncSender
from .errors import failure_of
from .options import CallOptions, Patience
from .request import outgoing_of
from .upload import Upload, chunk_of, created, creation, offset_of, offset_request


class AsyncClient(AsyncNouns):
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
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self.address = (address or os.environ.get("ASSAY_ADDRESS") or "http://127.0.0.1:8420").rstrip("/")
        self._own = http is None
        self._http = http or httpx.AsyncClient()
        token = token or os.environ.get("ASSAY_TOKEN")
        if token is not None:
            self._http.headers["Authorization"] = f"Bearer {token}"
        self._sender = AsyncSender(self._http, self.address, patience or Patience())
        super().__init__(self._sender)

    async def download(
        self, operation_id: str, to: str | Path, *, options: CallOptions | None = None, **given: Any
    ) -> Path:
        """Streams a response to a file, which appears under its name when it is complete."""
        options = options or CallOptions()
        place = Path(to)
        half = place.with_name(f"{place.name}.part")
        timeout = httpx.Timeout(options.timeout_s or self._sender.patience.timeout_s)
        answer = await self._sender.stream(outgoing_of(operation_id, given, options), timeout)
        try:
            with half.open("wb") as file:
                async for chunk in answer.aiter_bytes():
                    file.write(chunk)
            half.replace(place)
        except httpx.HTTPError as thrown:
            raise failure_of(self.address, thrown) from thrown
        finally:
            await answer.aclose()
            half.unlink(missing_ok=True)
        return place

    async def upload(self, file: Upload, *, upload_url: str | None = None) -> None:
        """Uploads a file to a source of kind `upload` in chunks, with the tus 1.0 protocol.

        `upload_url`: where a file goes on that was begun before, as `sources.list_files` says.
        """
        options = CallOptions()
        url = upload_url or created(await self._sender.send(creation(file), options))
        offset = 0 if upload_url is None else offset_of(await self._sender.send(offset_request(url), options))
        while (chunk := chunk_of(file, url, offset)) is not None:
            offset = offset_of(await self._sender.send(chunk, options))

    async def close(self) -> None:
        if self._own:
            await self._http.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, thrown: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
