# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from ..calls import AsyncCalls
from .aio.annotation import AsyncAnnotationOperations
from .aio.annotation_jobs import AsyncAnnotationJobsOperations
from .aio.audit import AsyncAuditOperations
from .aio.budget import AsyncBudgetOperations
from .aio.certification import AsyncCertificationOperations
from .aio.copilot import AsyncCopilotOperations
from .aio.curation import AsyncCurationOperations
from .aio.episode_annotations import AsyncEpisodeAnnotationsOperations
from .aio.episodes import AsyncEpisodesOperations
from .aio.exports import AsyncExportsOperations
from .aio.failures import AsyncFailuresOperations
from .aio.notifications import AsyncNotificationsOperations
from .aio.projects import AsyncProjectsOperations
from .aio.readiness import AsyncReadinessOperations
from .aio.runs import AsyncRunsOperations
from .aio.search import AsyncSearchOperations
from .aio.service import AsyncServiceOperations
from .aio.sources import AsyncSourcesOperations
from .aio.tenant import AsyncTenantOperations
from .aio.use_cases import AsyncUseCasesOperations
from .aio.workspaces import AsyncWorkspacesOperations


class AsyncNouns:
    """Every operation, by what it is about."""

    def __init__(self, calls: AsyncCalls) -> None:
        self.annotation = AsyncAnnotationOperations(calls)
        self.annotation_jobs = AsyncAnnotationJobsOperations(calls)
        self.audit = AsyncAuditOperations(calls)
        self.budget = AsyncBudgetOperations(calls)
        self.certification = AsyncCertificationOperations(calls)
        self.copilot = AsyncCopilotOperations(calls)
        self.curation = AsyncCurationOperations(calls)
        self.episode_annotations = AsyncEpisodeAnnotationsOperations(calls)
        self.episodes = AsyncEpisodesOperations(calls)
        self.exports = AsyncExportsOperations(calls)
        self.failures = AsyncFailuresOperations(calls)
        self.notifications = AsyncNotificationsOperations(calls)
        self.projects = AsyncProjectsOperations(calls)
        self.readiness = AsyncReadinessOperations(calls)
        self.runs = AsyncRunsOperations(calls)
        self.search = AsyncSearchOperations(calls)
        self.service = AsyncServiceOperations(calls)
        self.sources = AsyncSourcesOperations(calls)
        self.tenant = AsyncTenantOperations(calls)
        self.use_cases = AsyncUseCasesOperations(calls)
        self.workspaces = AsyncWorkspacesOperations(calls)
