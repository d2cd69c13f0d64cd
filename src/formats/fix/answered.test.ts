import { expect, it } from 'vitest';
import { contracts } from '../rules/registry.ts';
import { fixableCodes } from './plan-fixes.ts';

/** Findings of readers that are no rule of a canonical reader. */
const beside = [
  'metadata_count_mismatch',
  'file_unreferenced',
  'nonstandard_json',
  'stats_inconsistent',
  'clock_jitter',
  'timestamps_duplicated',
  'coco_box_outside',
];

it('answers rules that there are', () => {
  for (const [format, codes] of fixableCodes) {
    const rules = contracts.filter((one) => one.format === format).flatMap((one) => one.rules);
    expect(rules.length).toBeGreaterThan(0);
    const known = new Set([...rules.map(({ id }) => id), ...beside]);
    expect([...codes].filter((code) => !known.has(code))).toEqual([]);
  }
});
