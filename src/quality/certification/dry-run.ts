import type {
  CertificationMetricId,
  CertificationPolicy,
  CertificationReport,
  CertificationVerdict,
} from '#core/api';
import { Certifier } from './certifier.ts';
import type { EpisodeEvidence } from './metric.ts';

interface Change {
  readonly before: CertificationVerdict;
  readonly after: CertificationVerdict;
}

/** Differences between the reports of two policies on the same episodes. */
export interface DryRun {
  readonly verdict: Change;
  readonly coverage: { readonly before: number | null; readonly after: number | null };
  /** Metrics in both policies whose verdict over the set changes. */
  readonly metrics: readonly (Change & { readonly metric: CertificationMetricId })[];
  readonly episodes: number;
  /** Episodes whose verdict changes, in input order. */
  readonly changed: readonly (Change & { readonly episode: string })[];
}

/**
 * Certifies episodes under two policies and returns the differences of the two reports, to preview a policy before it
 * is saved.
 */
export function dryRun(
  before: CertificationPolicy,
  after: CertificationPolicy,
  episodes: Iterable<EpisodeEvidence>,
): DryRun {
  const [old, next] = [new Certifier(before, null), new Certifier(after, null)];
  for (const evidence of episodes) {
    old.add(evidence);
    next.add(evidence);
  }
  return compareReports(old.finish(), next.finish());
}

/** Compares two reports of the same episodes in the same order. */
function compareReports(before: CertificationReport, after: CertificationReport): DryRun {
  const verdicts = new Map(after.metrics.map(({ metric, verdict }) => [metric, verdict]));
  return {
    verdict: { before: before.verdict, after: after.verdict },
    coverage: { before: before.coverage.share, after: after.coverage.share },
    metrics: before.metrics.flatMap(({ metric, verdict }) => {
      const newVerdict = verdicts.get(metric) ?? verdict;
      return newVerdict === verdict ? [] : [{ metric, before: verdict, after: newVerdict }];
    }),
    episodes: before.episodes.length,
    changed: before.episodes.flatMap(({ id, verdict }, i) => {
      const newVerdict = after.episodes[i].verdict;
      return newVerdict === verdict ? [] : [{ episode: id, before: verdict, after: newVerdict }];
    }),
  };
}
