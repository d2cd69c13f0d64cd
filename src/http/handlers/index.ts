import type { operationRows } from '#operations';
import type { HandlersOf } from '../handler.ts';
import { auditHandlers } from './audit.ts';
import { tenancyHandlers } from './tenancy.ts';

/** A handler for every row of the contract, one file a noun: a missing or surplus one does not compile. */
export const handlers = { ...tenancyHandlers, ...auditHandlers } satisfies HandlersOf<typeof operationRows>;
