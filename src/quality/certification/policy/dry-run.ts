import type {
  CertificationMetricId,
  CertificationPolicy,
  CertificationReport,
  CertificationVerdict,
} from '#core/api';
import { Certifier } from '../certifier.ts';
import type { EpisodeEvidence } from '../metric.ts';

interface Change {
  readonly before: CertificationVerdict;
  readonly after: CertificationVerdict;
}

/** What another policy would say of the same episodes. */
export interface DryRun {
  readonly verdict: Change;
  readonly coverage: { readonly before: number; readonly after: number };
  /** Metrics of both policies whose verdict over the set changes. */
  readonly metrics: readonly (Change & { readonly metric: CertificationMetricId })[];
  readonly episodes: number;
  /** Episodes whose verdict changes, in the order of the recordings. */
  readonly changed: readonly (Change & { readonly episode: string })[];
}

/** Holds a new policy against episodes beside the one in force, before anybody saves it. */
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

/** What changes between two reports of the same episodes. */
function compareReports(before: CertificationReport, after: CertificationReport): DryRun {
  const verdicts = new Map(after.metrics.map(({ metric, verdict }) => [metric, verdict]));
  return {
    verdict: { before: before.verdict, after: after.verdict },
    coverage: { before: before.coverage.share, after: after.coverage.share },
    metrics: before.metrics.flatMap(({ metric, verdict }) => {
      const now = verdicts.get(metric) ?? verdict;
      return now === verdict ? [] : [{ metric, before: verdict, after: now }];
    }),
    episodes: before.episodes.length,
    changed: before.episodes.flatMap(({ id, verdict }, i) => {
      const now = after.episodes[i].verdict;
      return now === verdict ? [] : [{ episode: id, before: verdict, after: now }];
    }),
  };
}
