# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, List, Literal


from ...calls import AsyncCalls
from ...options import CallOptions, OMITTED, Omitted
from ...pages import Page
from ..types.annotation_jobs import (
    AnnotationJob,
    AnnotationJobPreview,
    StreamAnnotationJobsEvent,
)
from ..types.shared import (
    JobLayerId,
)


class AsyncAnnotationJobsOperations:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    async def enqueue(
        self,
        *,
        project_id: str,
        layer: JobLayerId,
        episode_ids: List[str] | Omitted = OMITTED,
        force: bool | Omitted = OMITTED,
        config: dict[str, Any] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> AnnotationJob:
        """Queue a layer for the episodes that need it.

        Episodes that already carry the layer are skipped unless `force` is set. If a job of the
        layer is queued or running, that job is returned with 200 and no second one is queued. The
        estimated cost is reserved first.

        Needs the role `engineer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return await self._calls.call("enqueue_annotation_job", {"project_id": project_id, "layer": layer, "episode_ids": episode_ids, "force": force, "config": config}, options)

    async def list(
        self,
        *,
        project_id: str,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        layer: JobLayerId | Omitted = OMITTED,
        status: Literal["queued", "running", "cancelling", "succeeded", "partial", "failed", "cancelled"] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[AnnotationJob]:
        """List a project’s jobs, newest first.

        Includes the jobs that belong to runs, each with its run.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return await self._calls.call("list_annotation_jobs", {"project_id": project_id, "limit": limit, "cursor": cursor, "layer": layer, "status": status}, options)

    async def preview(
        self,
        *,
        project_id: str,
        layer: JobLayerId,
        episode_ids: List[str] | Omitted = OMITTED,
        force: bool | Omitted = OMITTED,
        config: dict[str, Any] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> AnnotationJobPreview:
        """Preview what a job would do and cost, without queueing it.

        Under the guards of the job itself: what would be refused is refused with the same reason.

        Needs the role `engineer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return await self._calls.call("preview_annotation_job", {"project_id": project_id, "layer": layer, "episode_ids": episode_ids, "force": force, "config": config}, options)

    def stream(
        self,
        *,
        project_id: str,
        options: CallOptions | None = None,
    ) -> AsyncIterator[StreamAnnotationJobsEvent]:
        """Stream a project’s jobs as they progress.

        The first event is `snapshot`, with every job that has not ended. Then come `job` after each
        change, `progress` a few times a second, and `heartbeat` after 15 seconds of silence. Ids
        grow: a client that reconnects with the last one as `Last-Event-ID` continues after it.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return self._calls.follow("stream_annotation_jobs", {"project_id": project_id}, options)

    async def get(
        self,
        *,
        project_id: str,
        job_id: str,
        options: CallOptions | None = None,
    ) -> AnnotationJob:
        """Get one job.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        job_id: id, `job_` and a time-ordered UUID in base32
        """
        return await self._calls.call("get_annotation_job", {"project_id": project_id, "job_id": job_id}, options)

    async def cancel(
        self,
        *,
        project_id: str,
        job_id: str,
        options: CallOptions | None = None,
    ) -> AnnotationJob:
        """Cancel a job and keep what is done.

        The reservation for the rest is released. A running job is `cancelling` for a second or two.

        Needs the role `engineer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        job_id: id, `job_` and a time-ordered UUID in base32
        """
        return await self._calls.call("cancel_annotation_job", {"project_id": project_id, "job_id": job_id}, options)
