# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import Any, Literal

import httpx

from ...calls import Calls
from ...options import CallOptions
from ..types.service import (
    Health,
    Readiness,
)


class ServiceOperations:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def check_health(
        self,
        *, options: CallOptions | None = None,
    ) -> Health:
        """Check that the process answers.

        Needs no token.
        """
        return self._calls.call("check_health", {}, options)

    def check_readiness(
        self,
        *, options: CallOptions | None = None,
    ) -> Readiness:
        """Check whether database, blob store and queue can be used.

        Answers 503 if one cannot; `code` says which.

        Needs no token.
        """
        return self._calls.call("check_readiness", {}, options)

    def read_metrics(
        self,
        *, options: CallOptions | None = None,
    ) -> httpx.Response:
        """Read the metrics of this process, in the Prometheus text format.

        Needs no token.
        """
        return self._calls.call("read_metrics", {}, options)

    def get_contract(
        self,
        *, options: CallOptions | None = None,
    ) -> dict[str, Any]:
        """Get this document.

        Needs no token.
        """
        return self._calls.call("get_contract", {}, options)

    def open_docs(
        self,
        *, options: CallOptions | None = None,
    ) -> httpx.Response:
        """Open this document as a page.

        Needs no token.
        """
        return self._calls.call("open_docs", {}, options)

    def get_docs_file(
        self,
        *,
        file: Literal["reference.js", "start.js"],
        options: CallOptions | None = None,
    ) -> httpx.Response:
        """Get a file of that page.

        Needs no token.
        """
        return self._calls.call("get_docs_file", {"file": file}, options)
