# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Literal

import httpx

from ...calls import AsyncCalls
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


class AsyncRunsOperations:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    async def plan(
        self,
        *,
        project_id: str,
        source_id: str,
        options: CallOptions | None = None,
    ) -> RunPlan:
        """Plan a run and estimate its cost.

        Lists the files of the source without reading episodes. The same source and settings give
        the same plan.

        Requires the role `engineer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        source_id: Id: `src_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("plan_run", {"project_id": project_id, "source_id": source_id}, options)

    async def start(
        self,
        *,
        project_id: str,
        source_id: str,
        plan_hash: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Run:
        """Start a run.

        A source has at most one run at a time: if one is queued or running, that run is returned.
        With `plan_hash` the source is planned again first; returns 409 if the plan has changed.
        Returns 402 if the estimated cost exceeds the remaining weekly budget.

        Requires the role `engineer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        source_id: Id: `src_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("start_run", {"project_id": project_id, "source_id": source_id, "plan_hash": plan_hash}, options)

    async def list(
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

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        source_id: Id: `src_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("list_runs", {"project_id": project_id, "limit": limit, "cursor": cursor, "source_id": source_id, "status": status}, options)

    async def get(
        self,
        *,
        run_id: str,
        options: CallOptions | None = None,
    ) -> Run:
        """Get a run.

        Requires the role `viewer` or higher.

        run_id: Id: `run_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("get_run", {"run_id": run_id}, options)

    async def cancel(
        self,
        *,
        run_id: str,
        options: CallOptions | None = None,
    ) -> Run:
        """Cancel a run.

        Results so far are kept. Takes effect immediately: nothing more is written, and workers stop
        within two seconds.

        Requires the role `engineer` or higher.

        run_id: Id: `run_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("cancel_run", {"run_id": run_id}, options)

    async def resume(
        self,
        *,
        run_id: str,
        options: CallOptions | None = None,
    ) -> Run:
        """Resume a failed or cancelled run without repeating finished work.

        Requires the role `engineer` or higher.

        run_id: Id: `run_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("resume_run", {"run_id": run_id}, options)

    def stream(
        self,
        *,
        run_id: str,
        options: CallOptions | None = None,
    ) -> AsyncIterator[StreamRunEvent]:
        """Stream a run’s progress until it ends.

        The first event is the current state of the run. After it come `run` on each change,
        `progress` a few times per second, and `finding`. Event ids increase: send the last one as
        `Last-Event-ID` to resume after a disconnect.

        Requires the role `viewer` or higher.

        run_id: Id: `run_` followed by a time-ordered UUID in base32.
        """
        return self._calls.follow("stream_run", {"run_id": run_id}, options)

    async def list_findings(
        self,
        *,
        run_id: str,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[Finding]:
        """List a run’s dataset findings, worst first.

        Requires the role `viewer` or higher.

        run_id: Id: `run_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("list_run_findings", {"run_id": run_id, "limit": limit, "cursor": cursor}, options)

    async def get_report(
        self,
        *,
        run_id: str,
        file: str,
        options: CallOptions | None = None,
    ) -> httpx.Response:
        """Get a file of a finished run’s HTML report.

        Start with `index.html`. The report is created on the first request; its files do not change
        afterwards.

        Requires the role `viewer` or higher.

        run_id: Id: `run_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("get_run_report", {"run_id": run_id, "file": file}, options)
