import { expect, it } from 'vitest';
import { cocoFixableCodes } from '../coco/fix-coco.ts';
import { lerobotFixes } from '../lerobot/fix/fixes/registry.ts';
import { contracts, listFixableRules } from '../rules/registry.ts';

/** Codes that fixes answer and that are no rules: findings of readers, flags of checks. */
const otherCodes = [
  'metadata_count_mismatch',
  'file_unreferenced',
  'nonstandard_json',
  'stats_inconsistent',
  'clock_jitter',
  'timestamps_duplicated',
  'coco_box_outside',
];

it('the rules that are marked as fixable are those that a fix answers', () => {
  const answered = new Map<string, string[]>([
    ['lerobot', lerobotFixes.flatMap(({ answers }) => [...answers])],
    ['coco', [...cocoFixableCodes]],
  ]);
  for (const format of new Set(contracts.map((contract) => contract.format))) {
    const codes = (answered.get(format) ?? []).filter((code) => !otherCodes.includes(code));
    expect([...listFixableRules(format)].sort()).toEqual([...new Set<string>(codes)].sort());
  }
});
