import { defineRegistry, type JsonObject } from '#core';
import type { Operation } from '../operation.ts';
import { bodyExamples } from './body-examples.ts';
import { operationRows } from './rows.ts';

export { openApiDocument } from '../openapi-document.ts';

export type { operationRows } from './rows.ts';

const examples: Readonly<Record<string, JsonObject>> = bodyExamples;

/** Every operation of the interface. */
export const operations = defineRegistry<Operation>(
  operationRows.map((row: Operation) => (row.id in examples ? { ...row, example: examples[row.id] } : row)),
);

export type { annotationOperations } from './annotation.ts';
export type { annotationJobOperations } from './annotation-jobs.ts';
export type { auditOperations } from './audit.ts';
export type { budgetOperations } from './budget.ts';
export type { certificationOperations } from './certification.ts';
export type { copilotOperations } from './copilot.ts';
export type { curationOperations } from './curation.ts';
export type { episodeAnnotationOperations } from './episode-annotations.ts';
export type { episodeOperations } from './episodes.ts';
export type { exportOperations } from './exports.ts';
export type { failureOperations } from './failures.ts';
export type { notificationOperations } from './notifications.ts';
export type { projectOperations } from './projects.ts';
export type { readinessOperations } from './readiness.ts';
export type { runOperations } from './runs.ts';
export type { searchOperations } from './search.ts';
export type { serviceOperations } from './service.ts';
export type { sourceOperations } from './sources.ts';
export type { tenancyOperations } from './tenancy.ts';
export type { useCaseOperations } from './use-cases.ts';
export type { workspaceOperations } from './workspaces.ts';
