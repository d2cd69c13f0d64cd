import type { operationRows } from '#core/api/operations';
import type { HandlersOf } from '../handler.ts';
import { annotationHandlers } from './annotation.ts';
import { annotationJobHandlers } from './annotation-jobs.ts';
import { auditHandlers } from './audit.ts';
import { budgetHandlers } from './budget.ts';
import { certificationHandlers } from './certification.ts';
import { copilotHandlers } from './copilot.ts';
import { curationHandlers } from './curation.ts';
import { episodeAnnotationHandlers } from './episode-annotations.ts';
import { episodeHandlers } from './episodes.ts';
import { exportHandlers } from './exports.ts';
import { failureHandlers } from './failures.ts';
import { notificationHandlers } from './notifications.ts';
import { projectHandlers } from './projects.ts';
import { readinessHandlers } from './readiness.ts';
import { runHandlers } from './runs.ts';
import { searchHandlers } from './search.ts';
import { serviceHandlers } from './service.ts';
import { sourceHandlers } from './sources.ts';
import { tenancyHandlers } from './tenancy.ts';
import { useCaseHandlers } from './use-cases.ts';
import { workspaceHandlers } from './workspaces.ts';

/** Handlers of every operation; one file per noun. A missing or surplus handler is a compile error. */
export const handlers = {
  ...serviceHandlers,
  ...tenancyHandlers,
  ...auditHandlers,
  ...useCaseHandlers,
  ...workspaceHandlers,
  ...projectHandlers,
  ...sourceHandlers,
  ...readinessHandlers,
  ...annotationHandlers,
  ...annotationJobHandlers,
  ...budgetHandlers,
  ...runHandlers,
  ...episodeHandlers,
  ...episodeAnnotationHandlers,
  ...searchHandlers,
  ...curationHandlers,
  ...failureHandlers,
  ...exportHandlers,
  ...certificationHandlers,
  ...copilotHandlers,
  ...notificationHandlers,
} satisfies HandlersOf<typeof operationRows>;
