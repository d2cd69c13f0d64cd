import type { Assessment, ReadinessSettings, SetVerdict } from '#core/api';
import type { Finding } from '#core/episode';
import type { DatasetFacts } from '#formats';
import {
  applySeverities,
  computeLoadVerdict,
  type LoadVerdict,
  listFixableRules,
  loaderSeverities,
  type RuleViolation,
} from '#formats/rules';
import { judgeSet, resolveSettings, type SetCounts, SetTally } from '#quality/readiness';

/** Verdicts on a dataset as a whole. */
export interface DatasetVerdict {
  /** Answer of the chosen loaders; `null` if no loader's rules are known. */
  readonly loads: LoadVerdict | null;
  readonly usability: SetVerdict;
}

interface DatasetEvidence {
  /** Counts over all its episodes. */
  readonly counts: SetCounts;
  /** Findings on the dataset and on files that could not be read. */
  readonly findings: readonly Pick<Finding, 'code' | 'severity'>[];
  /** Number of episodes that could not be read. */
  readonly unreadable: number;
}

/** Returns an empty tally for the episodes of a dataset of this format. */
export const createTally = (format: string): SetTally => new SetTally(listFixableRules(format));

/**
 * Returns whether the loaders can load a dataset, and the verdict on it as a whole, from the counts over its episodes and its
 * own findings. `loaders`: ids of the loaders that the user asks for.
 */
export function judgeDataset(
  facts: DatasetFacts,
  { counts, findings: found, unreadable }: DatasetEvidence,
  loaders: readonly string[] = [],
): DatasetVerdict {
  const findings = applySeverities(found, loaderSeverities(facts, loaders));
  const loads = computeLoadVerdict(facts, listViolations(counts, findings), loaders);
  const fixable = listFixableRules(facts.format);
  return { loads, usability: judgeSet({ counts, loads, findings, unreadable, fixable }) };
}

/** Lists all violations: the dataset's own (`episodes: null`), then those of episodes with their counts. */
function listViolations({ codes }: SetCounts, findings: readonly Pick<Finding, 'code'>[]): RuleViolation[] {
  const ofSet = new Set(findings.map(({ code }) => code));
  return [
    ...[...ofSet].map((code) => ({ code, episodes: null })),
    ...Object.entries(codes).flatMap(([code, episodes]) => (ofSet.has(code) ? [] : [{ code, episodes }])),
  ];
}

/** Returns name (`default` or `changed`) and hash of the settings, as scores refer to them. */
export function settingsInEffect(settings: ReadinessSettings): Assessment['dataset']['settings'] {
  const hash = resolveSettings(settings).settings_hash;
  return { name: hash === resolveSettings().settings_hash ? 'default' : 'changed', hash };
}
