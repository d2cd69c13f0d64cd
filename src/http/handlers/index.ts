import type { operationRows } from '#operations';
import type { HandlersOf } from '../handler.ts';

/** A handler for every row of the contract, one file a noun: a missing or surplus one does not compile. */
export const handlers = {} satisfies HandlersOf<typeof operationRows>;
