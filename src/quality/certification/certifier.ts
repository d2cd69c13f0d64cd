import { canonicalParts, sha256, sha256OfParts, significant } from '#core';
import type {
  CertificationPolicy,
  CertificationReport,
  CertifiedMetric,
  MetricBounds,
  Receipt,
} from '#core/api';
import { engine } from '#quality/readiness';
import { decide, episodeVerdict, summariseDecisions, summariseMetrics } from './aggregate.ts';
import type { EpisodeEvidence, EpisodeObservation, Metric } from './metric.ts';
import { metricOf } from './metric-registry.ts';

/**
 * Certifies episodes under a policy and returns the sealed report; the same policy and evidence give the same bytes.
 * `project_id` is `null` without a project.
 */
export function certify(
  policy: CertificationPolicy,
  episodes: Iterable<EpisodeEvidence>,
  project_id: string | null = null,
): CertificationReport {
  const certifier = new Certifier(policy, project_id);
  for (const evidence of episodes) certifier.add(evidence);
  return certifier.finish();
}

interface MetricEvaluation {
  readonly metric: Metric;
  readonly bounds: MetricBounds;
  readonly observations: EpisodeObservation[];
}

/** Schema id of the reports that are written. */
export const reportSchemaId = 'assay/certification-report/v2';

/**
 * Certifies episodes one at a time. Keeps only observations, so that receipts can be streamed: call `add` per
 * episode, then `finish` once.
 */
export class Certifier {
  readonly #policy: CertificationPolicy;
  readonly #project_id: string | null;
  readonly #evaluations: readonly MetricEvaluation[];
  readonly #episodes: Omit<CertificationReport['episodes'][number], 'verdict'>[] = [];
  readonly #sources = new SourceDigest();
  readonly #formats = new Set<string>();
  #duration_s = 0;

  constructor(policy: CertificationPolicy, project_id: string | null) {
    this.#policy = policy;
    this.#project_id = project_id;
    this.#evaluations = policy.metrics.map((bounds) => ({
      metric: metricOf(bounds.metric),
      bounds,
      observations: [],
    }));
  }

  /** Observes every metric of the policy on one episode. */
  add(evidence: EpisodeEvidence): void {
    const { episode, content_hash, sources } = evidence.receipt;
    for (const { metric, bounds, observations } of this.#evaluations)
      observations.push({ episode: episode.id, observation: metric.observe(evidence, bounds.need) });
    this.#formats.add(episode.locator.format);
    this.#duration_s += episode.duration_s;
    this.#sources.add(sources);
    this.#episodes.push({ id: episode.id, index: episode.index, receipt: content_hash });
  }

  /** Decides all metrics and returns the sealed report; call it only once, because it clears the observations. */
  finish(): CertificationReport {
    const metrics = this.#evaluations.map(concludeMetric);
    const { target, version, policy_hash } = this.#policy;
    return sealReport({
      schema: reportSchemaId,
      engine,
      canonicalisation: 'RFC8785',
      project_id: this.#project_id,
      policy: { target, version, policy_hash },
      dataset: {
        formats: [...this.#formats].sort(),
        episodes: this.#episodes.length,
        duration_s: significant(this.#duration_s, 9),
        sources_sha256: this.#sources.digest(),
        receipts_sha256: hashReceipts(this.#episodes),
      },
      ...summariseMetrics(metrics),
      episodes: this.#episodes.map((episode, i) => ({ ...episode, verdict: episodeVerdict(metrics, i) })),
      metrics,
      limits: describeLimits(metrics),
    });
  }
}

function concludeMetric({ metric, bounds, observations }: MetricEvaluation): CertifiedMetric {
  const conclusion = metric.conclude?.(observations);
  const decisions = observations.map(({ episode, observation }, i) =>
    decide(episode, conclusion?.observations[i] ?? observation, bounds),
  );
  // Free the observations, which are part of the decisions now, to save memory with many episodes.
  observations.length = 0;
  return {
    ...bounds,
    title: metric.title,
    formula: metric.formula,
    inputs: metric.inputs,
    ...summariseDecisions(decisions, bounds.allowed_share),
    decisions,
    diagnostics: [...(conclusion?.diagnostics ?? [])],
  };
}

/** Returns the SHA-256 of the episodes' receipt hashes, in their order, each followed by a line feed. */
export const hashReceipts = (episodes: readonly { readonly receipt: string }[]): string =>
  sha256(episodes.map(({ receipt }) => `${receipt}\n`).join(''));

/** Adds `content_hash`: the SHA-256 of the canonical JSON (RFC 8785) of the rest of the report. */
function sealReport(body: Omit<CertificationReport, 'content_hash'>): CertificationReport {
  return { ...body, content_hash: sha256OfParts(canonicalParts(body)) };
}

/** Computes one digest over all source files, independent of their order. */
class SourceDigest {
  readonly #files = new Map<string, string>();
  #unhashed = false;

  add(sources: Receipt['sources']): void {
    for (const { path, sha256: digest } of sources) {
      if (digest === null) this.#unhashed = true;
      else this.#files.set(`${digest}  ${path}`, path);
    }
  }

  /** Returns the SHA-256 over all files; null if there is no file, or if one was not hashed. */
  digest(): string | null {
    if (this.#unhashed || this.#files.size === 0) return null;
    return sha256(
      [...this.#files.keys()]
        .sort()
        .map((line) => `${line}\n`)
        .join(''),
    );
  }
}

/** Describes the limits of the report, one sentence each: unassessed metrics and claims that it does not make. */
export function describeLimits(metrics: readonly CertifiedMetric[]): string[] {
  const unseen = metrics.filter(({ observed }) => observed === null);
  return [
    'This report states what was measured in these recordings under this policy. It does not predict the performance of a model trained on them.',
    'Coverage is the share of required decisions with evidence. It does not measure data quality.',
    ...unseen.map(
      ({ metric, title, decisions }) =>
        `${title} (${metric}) was not assessed: ${summariseReasons(decisions)}.`,
    ),
    ...(metrics.some(({ metric, observed }) => metric === 'sync.content_lag' && observed !== null)
      ? [
          'Camera–signal lag is estimated from motion visible in both images and signals. It is not evidence of hardware synchronization.',
        ]
      : []),
  ];
}

const maxReasons = 2;

function summariseReasons(decisions: CertifiedMetric['decisions']): string {
  const reasons = new Set<string>();
  for (const decision of decisions)
    if (decision.applicability === 'not_assessable') reasons.add(decision.reason);
  const reasonText = [...reasons].slice(0, maxReasons).join('; ');
  return reasons.size > maxReasons
    ? `${reasonText}; and ${reasons.size - maxReasons} more reasons`
    : reasonText || 'no episodes';
}
