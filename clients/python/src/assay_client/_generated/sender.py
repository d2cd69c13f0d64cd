# Written by `npm run generate` from src/core/api. Change it there.

"""Sends requests. `npm run generate` creates the synchronous version in `_generated` from this file."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import httpx

from .rows import ROWS
from ..errors import AssayApiError, failure_of, refusal_of
from ..events import EventParser
from ..options import CallOptions, Patience
from ..request import Outgoing, outgoing_of
from ..retry import wait_before

_silence_s = 45.0


class Sender:
    """Sends requests with retries."""

    def __init__(self, http: httpx.Client, address: str, patience: Patience) -> None:
        self.http = http
        self.address = address
        self.patience = patience

    def send(self, outgoing: Outgoing, options: CallOptions) -> httpx.Response:
        patience = self._patience_of(options)
        tried = 0
        while True:
            tried += 1
            try:
                return self._once(outgoing, options.timeout_s or patience.timeout_s)
            except AssayApiError as error:
                self._wait(error, tried, patience, outgoing)

    def stream(self, outgoing: Outgoing, timeout: httpx.Timeout) -> httpx.Response:
        """Returns the response without its body, which the caller reads and closes."""
        try:
            answer = self.http.send(self._request(outgoing, timeout), stream=True)
            if answer.is_error:
                answer.read()
                raise refusal_of(answer)
            return answer
        except httpx.HTTPError as thrown:
            raise failure_of(self.address, thrown) from thrown

    def call(
        self,
        operation_id: str,
        given: Mapping[str, Any],
        options: CallOptions | None,
        *,
        whole_body: bool = False,
    ) -> Any:
        options = options or CallOptions()
        answer = self.send(outgoing_of(operation_id, given, options, whole_body=whole_body), options)
        kind = ROWS[operation_id].kind
        return answer.json() if kind == "json" else answer if kind == "bytes" else None

    def follow(
        self,
        operation_id: str,
        given: Mapping[str, Any],
        options: CallOptions | None,
        *,
        whole_body: bool = False,
    ) -> Iterator[Any]:
        """Yields events until the service ends the stream; an interrupted stream continues after its last event."""
        options = options or CallOptions()
        outgoing = outgoing_of(operation_id, given, options, whole_body=whole_body)
        patience = self._patience_of(options)
        parser = EventParser(options.last_event_id)
        timeout = httpx.Timeout(patience.timeout_s, read=options.timeout_s or _silence_s)
        tried = 0
        while True:
            tried += 1
            try:
                for event in self._events(outgoing, parser, timeout):
                    tried = 0
                    yield event
                return
            except AssayApiError as error:
                self._wait(error, tried, patience, outgoing)

    def _events(
        self, outgoing: Outgoing, parser: EventParser, timeout: httpx.Timeout
    ) -> Iterator[Any]:
        """Yields the events of one connection."""
        answer = self.stream(replace(outgoing, headers={**outgoing.headers, **parser.headers()}), timeout)
        try:
            for line in answer.iter_lines():
                for event in parser.feed(line):
                    yield event
        except httpx.HTTPError as thrown:
            raise failure_of(self.address, thrown) from thrown
        finally:
            answer.close()

    def _once(self, outgoing: Outgoing, timeout_s: float) -> httpx.Response:
        try:
            answer = self.http.send(self._request(outgoing, httpx.Timeout(timeout_s)))
        except httpx.HTTPError as thrown:
            raise failure_of(self.address, thrown) from thrown
        if answer.is_error:
            raise refusal_of(answer)
        return answer

    def _request(self, outgoing: Outgoing, timeout: httpx.Timeout) -> httpx.Request:
        path = outgoing.path
        return self.http.build_request(
            outgoing.method,
            path if path.startswith("http") else self.address + path,
            params=httpx.QueryParams(tuple(outgoing.params)) if outgoing.params else None,
            json=outgoing.json,
            content=outgoing.content,
            headers=outgoing.headers,
            timeout=timeout,
        )

    def _patience_of(self, options: CallOptions) -> Patience:
        return replace(self.patience, tries=options.tries or self.patience.tries)

    def _wait(self, error: AssayApiError, tried: int, patience: Patience, outgoing: Outgoing) -> None:
        """Waits before a retry; raises the error if a retry cannot help."""
        wait_s = wait_before(error, tried, patience, outgoing.may_repeat)
        if wait_s is None:
            raise error
        time.sleep(wait_s)
