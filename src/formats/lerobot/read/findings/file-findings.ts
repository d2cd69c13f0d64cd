import { enumerate } from '#core';
import type { Finding } from '#core/episode';
import type { LeRobotSet } from '../../metadata/lerobot-set.ts';
import { lerobotBreach } from '../../rules/contract.ts';
import type { FilePlan } from '../episodes/column-plan.ts';

/** How a data file's columns differ from those of the set's first data file, which the dataset's findings speak of. */
export function columnFindingsOf(set: LeRobotSet, plan: FilePlan, file: string): Finding[] {
  if (set.reference === null) return [];
  const usual = new Set(set.reference.map((column) => column.name));
  const lacking = [...usual].filter((name) => !plan.has.has(name));
  const extra = [...plan.has].filter((name) => !usual.has(name));
  if (lacking.length === 0 && extra.length === 0) return [];
  const parts = [
    lacking.length > 0 ? `lacks ${enumerate(lacking)}` : '',
    extra.length > 0 ? `has ${enumerate(extra)} besides` : '',
  ].filter((part) => part !== '');
  return [
    lerobotBreach(
      set.layout,
      'columns_differ',
      file,
      `the file does not have the columns of the other data files: it ${parts.join(' and ')}`,
    ),
  ];
}
