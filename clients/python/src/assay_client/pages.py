"""Paginated lists."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, Generic, List, TypeVar

from typing_extensions import TypedDict

Item = TypeVar("Item")
_longest_page = 500


class Page(TypedDict, Generic[Item]):
    """One page of a list; `next_cursor` is None on the last."""

    items: List[Item]
    next_cursor: str | None


def every(list_page: Callable[..., Page[Item]], **arguments: Any) -> Iterator[Item]:
    """Iterates over all items of a list, fetching pages as needed: `every(client.runs.list, project_id=…)`."""
    asked = {"limit": _longest_page, **arguments}
    while True:
        page = list_page(**asked)
        yield from page["items"]
        if page["next_cursor"] is None:
            return
        asked["cursor"] = page["next_cursor"]


async def aevery(list_page: Callable[..., Awaitable[Page[Item]]], **arguments: Any) -> AsyncIterator[Item]:
    """Like `every`, for an `AsyncClient`."""
    asked = {"limit": _longest_page, **arguments}
    while True:
        page = await list_page(**asked)
        for item in page["items"]:
            yield item
        if page["next_cursor"] is None:
            return
        asked["cursor"] = page["next_cursor"]
