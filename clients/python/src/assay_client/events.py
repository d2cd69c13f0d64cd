"""Server-sent events as the service writes them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any


class EventParser:
    """Parses lines into events and keeps the last event id."""

    def __init__(self, last_event_id: str | None) -> None:
        self.last_event_id = last_event_id
        self._event = "message"
        self._id: str | None = None
        self._data: list[str] = []

    def headers(self) -> dict[str, str]:
        """Headers of a request that continues after the last event."""
        after = {} if self.last_event_id is None else {"Last-Event-ID": self.last_event_id}
        return {"Accept": "text/event-stream", **after}

    def feed(self, line: str) -> Iterator[dict[str, Any]]:
        if line == "":
            yield from self._end()
            return
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            self._event = value
        elif name == "id":
            self._id = value
        elif name == "data":
            self._data.append(value)

    def _end(self) -> Iterator[dict[str, Any]]:
        event, id_, data = self._event, self._id, self._data
        self._event, self._id, self._data = "message", None, []
        if not data:
            return
        if id_ is not None:
            self.last_event_id = id_
        yield {"event": event, **({} if id_ is None else {"id": id_}), "data": json.loads("\n".join(data))}
