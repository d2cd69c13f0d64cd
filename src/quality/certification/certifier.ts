import { canonicalParts, sha256, sha256OfParts, significant } from '#core';
import type {
  CertificationPolicy,
  CertificationReport,
  CertificationVerdict,
  CertifiedMetric,
  MetricBounds,
  Receipt,
} from '#core/api';
import { engine } from '#quality/readiness';
import { aggregate, coverageOf, decide, counts as doesCount, metricVerdict, noCounts } from './aggregate.ts';
import type { EpisodeEvidence, Metric, Seen } from './metric.ts';
import { metricOf } from './metric-registry.ts';

interface Judging {
  readonly metric: Metric;
  readonly bounds: MetricBounds;
  readonly seen: Seen[];
}

/** Takes an episode after another and keeps their decisions alone, so that receipts can stream by. */
export class Certifier {
  readonly #policy: CertificationPolicy;
  readonly #project_id: string | null;
  readonly #judging: readonly Judging[];
  readonly #episodes: Omit<CertificationReport['episodes'][number], 'verdict'>[] = [];
  readonly #sources = new SourceDigest();
  readonly #formats = new Set<string>();
  #duration_s = 0;

  constructor(policy: CertificationPolicy, project_id: string | null) {
    this.#policy = policy;
    this.#project_id = project_id;
    this.#judging = policy.metrics.map((bounds) => ({
      metric: metricOf(bounds.metric),
      bounds,
      seen: [],
    }));
  }

  add(evidence: EpisodeEvidence): void {
    const { episode, content_hash, sources } = evidence.receipt;
    for (const { metric, seen } of this.#judging)
      seen.push({ episode: episode.id, observation: metric.observe(evidence) });
    this.#formats.add(episode.locator.format);
    this.#duration_s += episode.duration_s;
    this.#sources.add(sources);
    this.#episodes.push({ id: episode.id, index: episode.index, receipt: content_hash });
  }

  finish(): CertificationReport {
    const metrics = this.#judging.map(concluded);
    const coverage = coverageOf(metrics);
    const { target, version, policy_hash } = this.#policy;
    return sealReport({
      schema: 'assay/certification-report/v1',
      engine,
      canonicalisation: 'RFC8785',
      project_id: this.#project_id,
      policy: { target, version, policy_hash },
      dataset: {
        formats: [...this.#formats].sort(),
        episodes: this.#episodes.length,
        duration_s: significant(this.#duration_s, 9),
        sources_sha256: this.#sources.digest(),
        receipts_sha256: sha256(this.#episodes.map(({ receipt }) => `${receipt}\n`).join('')),
      },
      ...aggregate(metrics),
      coverage: { ...coverage, share: coverage.of === 0 ? 0 : significant(coverage.decisions / coverage.of) },
      episodes: this.#episodes.map((episode, i) => ({ ...episode, verdict: episodeVerdict(metrics, i) })),
      metrics,
      limits: limitsOf(metrics),
    });
  }
}

function concluded({ metric, bounds, seen }: Judging): CertifiedMetric {
  const together = metric.conclude?.(seen);
  const decisions = seen.map(({ episode, observation }, i) =>
    decide(episode, together?.observations[i] ?? observation, bounds),
  );
  // What was seen is in the decisions now; of many episodes both would be held at once.
  seen.length = 0;
  const counts = noCounts();
  const values: number[] = [];
  for (const decision of decisions) {
    counts[decision.verdict]++;
    if (decision.applicability === 'applicable') values.push(decision.observed);
  }
  values.sort((a, b) => a - b);
  return {
    ...bounds,
    title: metric.title,
    formula: metric.formula,
    inputs: metric.inputs,
    ...metricVerdict(counts, bounds.allowed_share),
    counts,
    observed:
      values.length === 0
        ? null
        : { minimum: values[0], median: values[values.length >> 1], maximum: values[values.length - 1] },
    decisions,
    diagnostics: [...(together?.diagnostics ?? [])],
  };
}

/** The worst over the metrics that count and have evidence of the episode; not assessable where none has. */
function episodeVerdict(metrics: readonly CertifiedMetric[], place: number): CertificationVerdict {
  const verdicts = metrics.filter(doesCount).map(({ decisions }) => decisions[place].verdict);
  if (verdicts.every((verdict) => verdict === 'not_assessable')) return 'not_assessable';
  if (verdicts.includes('not_ready')) return 'not_ready';
  return verdicts.includes('review_required') ? 'review_required' : 'certified';
}

/** With `content_hash` the SHA-256 of the canonical JSON (RFC 8785) of everything else. */
function sealReport(body: Omit<CertificationReport, 'content_hash'>): CertificationReport {
  return { ...body, content_hash: sha256OfParts(canonicalParts(body)) };
}

/** One digest over all files of the recordings, whatever the order in which they are met. */
class SourceDigest {
  readonly #files = new Map<string, string>();
  #unhashed = false;

  add(sources: Receipt['sources']): void {
    for (const { path, sha256: digest } of sources) {
      if (digest === null) this.#unhashed = true;
      else this.#files.set(`${digest}  ${path}`, path);
    }
  }

  /** null: a file was not hashed, so that nothing says which bytes it had. */
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

/** What the report does not say, in plain words, so that nobody takes silence for a pass. */
function limitsOf(metrics: readonly CertifiedMetric[]): string[] {
  const unseen = metrics.filter(({ observed }) => observed === null);
  return [
    'The report says what was measured of these recordings under this policy. It is no promise of how a model trained on them will perform.',
    'Coverage stands beside the verdict: it says how many decisions had evidence, not how good the data is.',
    ...unseen.map(({ metric, decisions }) => `${metric} was not assessed: ${reasonsOf(decisions)}.`),
    ...(metrics.some(({ metric, observed }) => metric === 'sync.content_lag' && observed !== null)
      ? [
          'Content lag is read off the motion that signals and pictures share. It is no evidence of hardware clocks.',
        ]
      : []),
  ];
}

const mostReasons = 2;

function reasonsOf(decisions: CertifiedMetric['decisions']): string {
  const reasons = new Set<string>();
  for (const decision of decisions)
    if (decision.applicability === 'not_assessable') reasons.add(decision.reason);
  const said = [...reasons].slice(0, mostReasons).join('; ');
  return reasons.size > mostReasons
    ? `${said}; and ${reasons.size - mostReasons} other reasons`
    : said || 'there is no episode';
}
