# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from ..calls import Calls
from .sync.annotation import AnnotationOperations
from .sync.annotation_jobs import AnnotationJobsOperations
from .sync.audit import AuditOperations
from .sync.budget import BudgetOperations
from .sync.certification import CertificationOperations
from .sync.copilot import CopilotOperations
from .sync.curation import CurationOperations
from .sync.episode_annotations import EpisodeAnnotationsOperations
from .sync.episodes import EpisodesOperations
from .sync.exports import ExportsOperations
from .sync.failures import FailuresOperations
from .sync.notifications import NotificationsOperations
from .sync.projects import ProjectsOperations
from .sync.readiness import ReadinessOperations
from .sync.runs import RunsOperations
from .sync.search import SearchOperations
from .sync.service import ServiceOperations
from .sync.sources import SourcesOperations
from .sync.tenant import TenantOperations
from .sync.use_cases import UseCasesOperations
from .sync.workspaces import WorkspacesOperations


class Nouns:
    """Every operation, by what it is about."""

    def __init__(self, calls: Calls) -> None:
        self.annotation = AnnotationOperations(calls)
        self.annotation_jobs = AnnotationJobsOperations(calls)
        self.audit = AuditOperations(calls)
        self.budget = BudgetOperations(calls)
        self.certification = CertificationOperations(calls)
        self.copilot = CopilotOperations(calls)
        self.curation = CurationOperations(calls)
        self.episode_annotations = EpisodeAnnotationsOperations(calls)
        self.episodes = EpisodesOperations(calls)
        self.exports = ExportsOperations(calls)
        self.failures = FailuresOperations(calls)
        self.notifications = NotificationsOperations(calls)
        self.projects = ProjectsOperations(calls)
        self.readiness = ReadinessOperations(calls)
        self.runs = RunsOperations(calls)
        self.search = SearchOperations(calls)
        self.service = ServiceOperations(calls)
        self.sources = SourcesOperations(calls)
        self.tenant = TenantOperations(calls)
        self.use_cases = UseCasesOperations(calls)
        self.workspaces = WorkspacesOperations(calls)
