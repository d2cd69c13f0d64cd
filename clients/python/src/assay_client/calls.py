"""Base class of the operation groups."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any, Protocol

from .options import CallOptions


class Calls(Protocol):
    def call(
        self,
        operation_id: str,
        given: Mapping[str, Any],
        options: CallOptions | None,
        *,
        whole_body: bool = False,
    ) -> Any: ...

    def follow(
        self,
        operation_id: str,
        given: Mapping[str, Any],
        options: CallOptions | None,
        *,
        whole_body: bool = False,
    ) -> Iterator[Any]: ...


class AsyncCalls(Protocol):
    async def call(
        self,
        operation_id: str,
        given: Mapping[str, Any],
        options: CallOptions | None,
        *,
        whole_body: bool = False,
    ) -> Any: ...

    def follow(
        self,
        operation_id: str,
        given: Mapping[str, Any],
        options: CallOptions | None,
        *,
        whole_body: bool = False,
    ) -> AsyncIterator[Any]: ...
