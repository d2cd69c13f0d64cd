import type { Operation } from '../operation.ts';
import { annotationOperations } from './annotation.ts';
import { annotationJobOperations } from './annotation-jobs.ts';
import { auditOperations } from './audit.ts';
import { budgetOperations } from './budget.ts';
import { certificationOperations } from './certification.ts';
import { copilotOperations } from './copilot.ts';
import { curationOperations } from './curation.ts';
import { episodeAnnotationOperations } from './episode-annotations.ts';
import { episodeOperations } from './episodes.ts';
import { exportOperations } from './exports.ts';
import { failureOperations } from './failures.ts';
import { notificationOperations } from './notifications.ts';
import { projectOperations } from './projects.ts';
import { readinessOperations } from './readiness.ts';
import { runOperations } from './runs.ts';
import { searchOperations } from './search.ts';
import { serviceOperations } from './service.ts';
import { sourceOperations } from './sources.ts';
import { tenancyOperations } from './tenancy.ts';
import { useCaseOperations } from './use-cases.ts';
import { workspaceOperations } from './workspaces.ts';

/** Rows with their literal types, for handlers: `[...nounOperations, ...]`, one file a noun. */
export const operationRows = [
  ...tenancyOperations,
  ...auditOperations,
  ...useCaseOperations,
  ...workspaceOperations,
  ...projectOperations,
  ...sourceOperations,
  ...readinessOperations,
  ...annotationOperations,
  ...annotationJobOperations,
  ...budgetOperations,
  ...runOperations,
  ...episodeOperations,
  ...episodeAnnotationOperations,
  ...searchOperations,
  ...curationOperations,
  ...failureOperations,
  ...exportOperations,
  ...certificationOperations,
  ...copilotOperations,
  ...notificationOperations,
  ...serviceOperations,
] as const satisfies readonly Operation[];
