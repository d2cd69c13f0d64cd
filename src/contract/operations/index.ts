import { defineRegistry } from '#kernel';
import type { Operation } from '../operation.ts';
import { auditOperations } from './audit.ts';
import { tenancyOperations } from './tenancy.ts';

/** Rows with their literal types, for handlers: `[...nounOperations, ...]`, one file a noun. */
export const operationRows = [
  ...tenancyOperations,
  ...auditOperations,
] as const satisfies readonly Operation[];

/** Every operation of the interface. */
export const operations = defineRegistry<Operation>(operationRows);

export type { auditOperations } from './audit.ts';
export type { tenancyOperations } from './tenancy.ts';
