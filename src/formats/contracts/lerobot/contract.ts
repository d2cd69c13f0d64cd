import type { Finding } from '#episode';
import type { JsonObject } from '#kernel';
import { breachOf, type Contract, type ContractRule } from '../rule.ts';
import { statisticsRules } from './statistics.ts';
import { tableRules } from './tables.ts';
import { timestampRules } from './timestamps.ts';
import { videoRules } from './videos.ts';

const rules = [...timestampRules, ...videoRules, ...tableRules, ...statisticsRules];
export type LeRobotRuleId = (typeof rules)[number]['id'];

/** What LeRobot's own loader holds sets to; run and read in the releases named. */
export const lerobotContract: Contract = {
  format: 'lerobot',
  title: 'LeRobot datasets',
  readers: [
    { id: 'LeRobot v2.1', release: '0.3.3' },
    { id: 'LeRobot v3.0', release: '0.4.4' },
  ],
  rules,
  readerOf: (version) => (version?.startsWith('v2') === true ? 'LeRobot v2.1' : 'LeRobot v3.0'),
};

const byId: ReadonlyMap<string, ContractRule> = new Map(rules.map((rule) => [rule.id, rule]));

/** The finding for a broken rule of a set in this layout. */
export function lerobotBreach(
  layout: 'v2' | 'v3',
  id: LeRobotRuleId,
  path: string | null,
  message: string,
  evidence?: JsonObject,
): Finding {
  const reader = layout === 'v2' ? 'LeRobot v2.1' : 'LeRobot v3.0';
  return breachOf(byId.get(id)!, reader, path, message, evidence);
}
