import { defineRegistry } from '#kernel';
import type { Check } from './check.ts';

/** Every readiness check, in the order in which receipts list them. */
export const checks = defineRegistry<Check>([]);
