import { defineRegistry } from '#kernel';
import type { Comparison } from './comparison.ts';

/** Every look across the episodes of a dataset. */
export const comparisons = defineRegistry<Comparison>([]);
