# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import Any, Literal

import httpx

from ...calls import AsyncCalls
from ...options import CallOptions
from ..types.service import (
    Health,
    Readiness,
)


class AsyncServiceOperations:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    async def check_health(
        self,
        *, options: CallOptions | None = None,
    ) -> Health:
        """Check that the process is alive.

        No token required.
        """
        return await self._calls.call("check_health", {}, options)

    async def check_readiness(
        self,
        *, options: CallOptions | None = None,
    ) -> Readiness:
        """Check that database, blob store and queue are available.

        Returns 503 if one is unavailable; `code` names it.

        No token required.
        """
        return await self._calls.call("check_readiness", {}, options)

    async def read_metrics(
        self,
        *, options: CallOptions | None = None,
    ) -> httpx.Response:
        """Get metrics of this process in Prometheus text format.

        No token required.
        """
        return await self._calls.call("read_metrics", {}, options)

    async def get_contract(
        self,
        *, options: CallOptions | None = None,
    ) -> dict[str, Any]:
        """Get this OpenAPI document.

        No token required.
        """
        return await self._calls.call("get_contract", {}, options)

    async def open_docs(
        self,
        *, options: CallOptions | None = None,
    ) -> httpx.Response:
        """Open the API reference page.

        No token required.
        """
        return await self._calls.call("open_docs", {}, options)

    async def get_docs_file(
        self,
        *,
        file: Literal["reference.js", "start.js"],
        options: CallOptions | None = None,
    ) -> httpx.Response:
        """Get a file of the API reference page.

        No token required.
        """
        return await self._calls.call("get_docs_file", {"file": file}, options)
