import { defineRegistry } from '#kernel';
import type { Operation } from '../operation.ts';

/** Rows with their literal types, for handlers: `[...nounOperations, ...]`, one file a noun. */
export const operationRows = [] as const satisfies readonly Operation[];

/** Every operation of the interface. */
export const operations = defineRegistry<Operation>(operationRows);
