import type { JsonObject } from '#core';
import type { Finding } from '#core/episode';
import { breachesFor, type Contract } from '../../shared/rule.ts';
import { dataRules } from './data.ts';
import { episodeRules } from './episodes.ts';
import { infoRules } from './info.ts';
import { v21, v30 } from './readers.ts';
import { statisticsRules } from './statistics.ts';
import { taskRules } from './tasks.ts';
import { timestampRules } from './timestamps.ts';
import { videoRules } from './videos.ts';

const rules = [
  ...timestampRules,
  ...videoRules,
  ...infoRules,
  ...episodeRules,
  ...dataRules,
  ...taskRules,
  ...statisticsRules,
];
export type LeRobotRuleId = (typeof rules)[number]['id'];

/** What LeRobot's own loader requires of sets; read and run in the releases named. */
export const lerobotContract: Contract = {
  format: 'lerobot',
  title: 'LeRobot datasets',
  readers: [
    { id: v21, release: '0.3.3' },
    { id: v30, release: '0.4.4' },
  ],
  rules,
  readerOf: (version) => (version?.startsWith('v2') === true ? v21 : v30),
};

const breaches = { v2: breachesFor(rules, v21), v3: breachesFor(rules, v30) };

/** The finding for a broken rule of a set in this layout. */
export function lerobotBreach(
  layout: 'v2' | 'v3',
  id: LeRobotRuleId,
  path: string | null,
  message: string,
  evidence?: JsonObject,
): Finding {
  return breaches[layout](id, path, message, evidence);
}
