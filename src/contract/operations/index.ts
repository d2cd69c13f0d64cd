import { defineRegistry } from '#kernel';
import type { Operation } from '../operation.ts';

/** Every operation of the interface; one file a noun. */
export const operations = defineRegistry<Operation>([]);
