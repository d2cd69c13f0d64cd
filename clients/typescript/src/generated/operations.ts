// Written by `npm run generate` from src/core/api. Change it there.
import type { AnnotationOperations } from './operations/annotation.ts';
import type { AnnotationJobsOperations } from './operations/annotation-jobs.ts';
import type { AuditOperations } from './operations/audit.ts';
import type { BudgetOperations } from './operations/budget.ts';
import type { CertificationOperations } from './operations/certification.ts';
import type { CopilotOperations } from './operations/copilot.ts';
import type { CurationOperations } from './operations/curation.ts';
import type { EpisodeAnnotationsOperations } from './operations/episode-annotations.ts';
import type { EpisodesOperations } from './operations/episodes.ts';
import type { ExportsOperations } from './operations/exports.ts';
import type { FailuresOperations } from './operations/failures.ts';
import type { NotificationsOperations } from './operations/notifications.ts';
import type { ProjectsOperations } from './operations/projects.ts';
import type { ReadinessOperations } from './operations/readiness.ts';
import type { RunsOperations } from './operations/runs.ts';
import type { SearchOperations } from './operations/search.ts';
import type { ServiceOperations } from './operations/service.ts';
import type { SourcesOperations } from './operations/sources.ts';
import type { TenantOperations } from './operations/tenant.ts';
import type { UseCasesOperations } from './operations/use-cases.ts';
import type { WorkspacesOperations } from './operations/workspaces.ts';
import type { Problem } from './types/shared.ts';

/** Codes with which the service says what went wrong. */
export type ErrorCode = Problem['code'];

/** Those that any operation can be refused with. */
export type CommonCode =
  | 'bad_request'
  | 'database_unavailable'
  | 'internal'
  | 'invalid_request'
  | 'storage_unavailable';

/** Every operation by its id: what it takes, what it answers, and the codes of its own that it can be refused with. */
export interface Operations
  extends AnnotationOperations,
    AnnotationJobsOperations,
    AuditOperations,
    BudgetOperations,
    CertificationOperations,
    CopilotOperations,
    CurationOperations,
    EpisodeAnnotationsOperations,
    EpisodesOperations,
    ExportsOperations,
    FailuresOperations,
    NotificationsOperations,
    ProjectsOperations,
    ReadinessOperations,
    RunsOperations,
    SearchOperations,
    ServiceOperations,
    SourcesOperations,
    TenantOperations,
    UseCasesOperations,
    WorkspacesOperations {}

export type OperationId = keyof Operations;
