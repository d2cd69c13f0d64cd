# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import httpx

from ...calls import Calls
from ...options import CallOptions, OMITTED, Omitted
from ...pages import Page
from ..types.runs import (
    RunPlan,
    StreamRunEvent,
)
from ..types.shared import (
    Finding,
    Run,
)


class RunsOperations:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def plan(
        self,
        *,
        project_id: str,
        source_id: str,
        options: CallOptions | None = None,
    ) -> RunPlan:
        """Plan a run: what it would do and cost.

        Lists the source and reads no episode. The same source under the same settings gives the
        same plan.

        Needs the role `engineer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        source_id: id, `src_` and a time-ordered UUID in base32
        """
        return self._calls.call("plan_run", {"project_id": project_id, "source_id": source_id}, options)

    def start(
        self,
        *,
        project_id: str,
        source_id: str,
        plan_hash: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Run:
        """Start a run of a source.

        A source has one run at a time: if one is queued or running, that run is returned and no
        second one starts. With `plan_hash` the source is planned again first, and the start is
        refused if the plan has changed. Under a weekly cap the cost is estimated first, and a run
        that does not fit is refused with 402.

        Needs the role `engineer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        source_id: id, `src_` and a time-ordered UUID in base32
        """
        return self._calls.call("start_run", {"project_id": project_id, "source_id": source_id, "plan_hash": plan_hash}, options)

    def list(
        self,
        *,
        project_id: str,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        source_id: str | Omitted = OMITTED,
        status: Literal["queued", "running", "succeeded", "partial", "failed", "cancelled"] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[Run]:
        """List runs, newest first.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        source_id: id, `src_` and a time-ordered UUID in base32
        """
        return self._calls.call("list_runs", {"project_id": project_id, "limit": limit, "cursor": cursor, "source_id": source_id, "status": status}, options)

    def get(
        self,
        *,
        run_id: str,
        options: CallOptions | None = None,
    ) -> Run:
        """Get one run.

        Needs the role `viewer`.

        run_id: id, `run_` and a time-ordered UUID in base32
        """
        return self._calls.call("get_run", {"run_id": run_id}, options)

    def cancel(
        self,
        *,
        run_id: str,
        options: CallOptions | None = None,
    ) -> Run:
        """Cancel a run and keep what is measured and judged.

        Takes effect at once: nothing more is written, and workers stop within two seconds.

        Needs the role `engineer`.

        run_id: id, `run_` and a time-ordered UUID in base32
        """
        return self._calls.call("cancel_run", {"run_id": run_id}, options)

    def resume(
        self,
        *,
        run_id: str,
        options: CallOptions | None = None,
    ) -> Run:
        """Resume a run that failed or was cancelled, without measuring anything twice.

        Needs the role `engineer`.

        run_id: id, `run_` and a time-ordered UUID in base32
        """
        return self._calls.call("resume_run", {"run_id": run_id}, options)

    def stream(
        self,
        *,
        run_id: str,
        options: CallOptions | None = None,
    ) -> Iterator[StreamRunEvent]:
        """Stream a run’s progress until it ends.

        The first event is the run as it is. Then come `run` after each change, `progress` a few
        times a second, and `finding`. Ids grow: a client that reconnects with the last one as
        `Last-Event-ID` continues after it.

        Needs the role `viewer`.

        run_id: id, `run_` and a time-ordered UUID in base32
        """
        return self._calls.follow("stream_run", {"run_id": run_id}, options)

    def list_findings(
        self,
        *,
        run_id: str,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[Finding]:
        """List a run’s findings on the recordings as a whole.

        Needs the role `viewer`.

        run_id: id, `run_` and a time-ordered UUID in base32
        """
        return self._calls.call("list_run_findings", {"run_id": run_id, "limit": limit, "cursor": cursor}, options)

    def get_report(
        self,
        *,
        run_id: str,
        file: str,
        options: CallOptions | None = None,
    ) -> httpx.Response:
        """Get a file of a finished run’s report; `index.html` is its first page.

        The report is made on the first request. A file’s bytes never change.

        Needs the role `viewer`.

        run_id: id, `run_` and a time-ordered UUID in base32
        """
        return self._calls.call("get_run_report", {"run_id": run_id, "file": file}, options)
