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
        """Queue an annotation job.

        Runs one layer on the episodes that do not have it yet; with `force`, on all of them. If a
        job for the layer is already queued or running, returns that job with status 200 instead of
        queuing another. The estimated cost is reserved from the budget first.

        Requires the role `engineer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
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
        """List a project’s annotation jobs, newest first.

        Includes jobs started by runs, with the run’s id.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
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
        """Preview an annotation job and its cost without queuing it.

        Applies the same checks as queuing the job and returns the same errors.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("preview_annotation_job", {"project_id": project_id, "layer": layer, "episode_ids": episode_ids, "force": force, "config": config}, options)

    def stream(
        self,
        *,
        project_id: str,
        options: CallOptions | None = None,
    ) -> AsyncIterator[StreamAnnotationJobsEvent]:
        """Stream the progress of a project’s annotation jobs.

        The first event is `snapshot`, with all open jobs. After it come `job` on each change,
        `progress` a few times per second, and `heartbeat` after 15 seconds without other events.
        Event ids increase: send the last one as `Last-Event-ID` to resume after a disconnect.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return self._calls.follow("stream_annotation_jobs", {"project_id": project_id}, options)

    async def get(
        self,
        *,
        project_id: str,
        job_id: str,
        options: CallOptions | None = None,
    ) -> AnnotationJob:
        """Get an annotation job.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        job_id: Id: `job_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("get_annotation_job", {"project_id": project_id, "job_id": job_id}, options)

    async def cancel(
        self,
        *,
        project_id: str,
        job_id: str,
        options: CallOptions | None = None,
    ) -> AnnotationJob:
        """Cancel an annotation job.

        Finished episodes keep their annotations and the unused budget reservation is released. A
        running job is `cancelling` for a second or two.

        Requires the role `engineer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        job_id: Id: `job_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("cancel_annotation_job", {"project_id": project_id, "job_id": job_id}, options)
