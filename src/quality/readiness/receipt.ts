import { canonicalJson, sha256, significant } from '#core';
import type { Receipt, ReceiptFacts } from '#core/api';
import {
  clockOf,
  type Episode,
  type EpisodeCut,
  picturesSkippedReason,
  recordedRoles,
  type Stream,
  shouldKeepRate,
} from '#core/episode';
import type { Subject } from './check.ts';
import { measureFlight } from './checks/flight/flight-health.ts';
import { adjustClockFeatures, measureDropouts } from './checks/shared/timeline-facts.ts';
import { computeContentLagFacts } from './content-lag-facts.ts';
import type { ClockFeatures } from './features/clock-features.ts';
import { measureMissingRows } from './features/missing-rows.ts';
import { roundFinite } from './features/numeric.ts';
import { type StreamSummary, selectUnusedStreams } from './missing-evidence.ts';

/** A receipt without its `content_hash`. */
export type ReceiptBody = Omit<Receipt, 'content_hash'>;

/**
 * Part of a receipt that describes the episode itself, without checks: plain JSON, stored between measuring
 * and evaluation.
 */
export type EpisodeRecord = Pick<
  ReceiptBody,
  'episode' | 'facts' | 'findings' | 'grippers' | 'kind' | 'limits' | 'pictures' | 'sources' | 'streams'
>;

/** Subset of an episode record that a table of episodes needs. */
export interface EpisodeBrief {
  readonly episode: Pick<EpisodeRecord['episode'], 'id' | 'index' | 'duration_s'>;
  readonly kind: Pick<EpisodeRecord['kind'], 'kind'>;
  /** Findings of its reader. */
  readonly findings: readonly Pick<
    EpisodeRecord['findings'][number],
    'code' | 'severity' | 'message' | 'advice'
  >[];
  /** Streams that no check evaluates; others are not needed. */
  readonly streams: readonly StreamSummary[];
}

/**
 * Creates the brief record of an episode (identity, kind, findings, streams that no check uses), for tables of
 * episodes that get no receipt.
 */
export function createEpisodeBrief({ episode, kind }: Subject): EpisodeBrief {
  const { id, index, duration_s } = episode;
  const findings = episode.findings.map(({ code, severity, message, advice }) => ({
    ...{ code, severity, message, advice },
  }));
  const streams = selectUnusedStreams(episode.streams).map(({ id, role, modality, sample_count }) => ({
    ...{ id, role, modality, sample_count },
  }));
  return {
    episode: { id, index, duration_s: significant(duration_s, 9) },
    kind: { kind },
    findings,
    streams,
  };
}

/**
 * Creates the record that an episode's receipt is assembled from: everything except measurements and evaluation. The
 * episode's arrays are not needed afterwards. `kindEvidence` is the evidence of `deriveKind`.
 */
export function createEpisodeRecord(subject: Subject, kindEvidence: readonly string[]): EpisodeRecord {
  const { episode } = subject;
  return {
    episode: episodeFacts(episode),
    facts: certificationFacts(subject),
    findings: episode.findings.map(({ advice, code, evidence, message, path, severity }) =>
      evidence === undefined
        ? { advice, code, message, path, severity }
        : { advice, code, evidence, message, path, severity },
    ),
    grippers: episode.grippers.map((gripper) => ({
      dimension: gripper.dimension,
      evidence: gripper.evidence,
      name: gripper.name,
      open_value: gripper.open_value,
      range_observed: [significant(gripper.range_observed[0]), significant(gripper.range_observed[1])],
      reason: gripper.reason,
      stream: gripper.stream,
      unit: gripper.unit,
    })),
    kind: { evidence: [...kindEvidence], kind: subject.kind },
    limits: listLimits(subject),
    ...pictureScope(subject),
    sources: episode.sources.map(({ bytes, path, role, sha256 }) => ({ bytes, path, role, sha256 })),
    streams: episode.streams.map((stream) => streamFacts(stream, subject)),
  };
}

/** Returns the picture scope, or an empty object if it is the default (`sampled`). */
function pictureScope({ pictures = 'sampled' }: Subject): Pick<EpisodeRecord, 'pictures'> {
  return pictures === 'sampled' ? {} : { pictures };
}

function cutFacts({ recipe, ...cut }: EpisodeCut): NonNullable<EpisodeRecord['episode']['cut']> {
  return { ...cut, recipe, recipe_hash: recipe === null ? null : sha256(canonicalJson(recipe)) };
}

function rateFacts({ hz, source, used }: NonNullable<Episode['declared_rate']>) {
  return { hz: significant(hz), source, used };
}

function episodeFacts(episode: Episode): EpisodeRecord['episode'] {
  const { format, path, span } = episode.locator;
  return {
    ...(episode.cut === undefined ? {} : { cut: cutFacts(episode.cut) }),
    ...(episode.declared_rate === undefined ? {} : { declared_rate: rateFacts(episode.declared_rate) }),
    duration_s: significant(episode.duration_s, 9),
    id: episode.id,
    index: episode.index,
    locator:
      span === undefined
        ? { format, path }
        : { format, path, span: { from: span.from, to: span.to, unit: span.unit } },
    outcome: {
      evidence: episode.outcome.evidence,
      reason: episode.outcome.reason,
      value: episode.outcome.value,
    },
    robot: episode.robot,
    ...(episode.split === undefined ? {} : { split: episode.split }),
    start_ns: episode.start_ns,
    tasks: episode.tasks === null ? null : episode.tasks.map((task) => task.text),
  };
}

function streamFacts(stream: Stream, subject: Subject): EpisodeRecord['streams'][number] {
  return {
    clock: clockFacts(stream),
    declared_rate_hz: stream.declared_rate_hz === null ? null : significant(stream.declared_rate_hz),
    ...(stream.event_driven === undefined ? {} : { event_driven: stream.event_driven }),
    id: stream.id,
    measured_rate_hz: measureRate(stream, subject),
    modality: stream.modality,
    role: stream.role,
    sample_count: stream.sample_count,
    shape: [...stream.shape],
    unit: { evidence: stream.unit.evidence, reason: stream.unit.reason, unit: stream.unit.unit },
  };
}

function clockFacts(stream: Stream): EpisodeRecord['streams'][number]['clock'] {
  const choice = stream.clock;
  if (choice === null) return null;
  const chosen = stream.clocks[choice.index];
  return {
    name: chosen.name,
    others: stream.clocks.filter((_, i) => i !== choice.index).map((clock) => clock.name),
    provenance: chosen.provenance,
    reason: choice.reason,
  };
}

/**
 * Returns the measured rate in Hz: 1 / median step of the chosen clock, or the container's rate for a video
 * without a clock. `null` if neither is known.
 */
function measureRate(stream: Stream, { features, cameras }: Subject): number | null {
  const step_s = features.clock(stream)?.median_step_s ?? 0;
  if (step_s > 0) return significant(1 / step_s);
  const rate_hz = cameras.get(stream.id)?.container?.rate_hz;
  return rate_hz == null ? null : significant(rate_hz);
}

/**
 * Returns the receipt with its `content_hash`, and its canonical JSON as it is written to disk; lone surrogates in
 * texts are replaced by U+FFFD. The hash is the SHA-256 of the canonical JSON (RFC 8785) of everything else.
 */
export function sealReceipt(body: ReceiptBody): { readonly receipt: Receipt; readonly json: string } {
  try {
    return sealBody(body);
  } catch {
    // Texts of a recording may contain lone surrogates, which canonical JSON cannot represent; replace them by U+FFFD.
    return sealBody(replaceLoneSurrogates(body));
  }
}

function sealBody(body: ReceiptBody): { readonly receipt: Receipt; readonly json: string } {
  const { before, after } = splitAroundHash(body);
  const content_hash = sha256(`${before},${after}`);
  return {
    receipt: { ...body, content_hash },
    json: `${before},"content_hash":"${content_hash}",${after}`,
  };
}

function replaceLoneSurrogates(body: ReceiptBody): ReceiptBody {
  return JSON.parse(JSON.stringify(body), (_, value) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  );
}

/** Returns the canonical JSON before and after the position of `content_hash`. */
function splitAroundHash({ canonicalisation, checks, ...rest }: ReceiptBody): {
  before: string;
  after: string;
} {
  return {
    before: canonicalJson({ canonicalisation, checks }).slice(0, -1),
    after: canonicalJson(rest).slice(1),
  };
}

/**
 * Measures the facts that certification reads and no check grades. Members are in the order of their names.
 */
function certificationFacts(subject: Subject): ReceiptFacts {
  const pair = subject.features.pair();
  const timeline = timelineFacts(subject);
  const content_lag = computeContentLagFacts(subject);
  return {
    ...(content_lag === null ? {} : { content_lag }),
    ...(pair === null ? {} : { same_rows: pair.same_rows }),
    ...(timeline === null ? {} : { timeline }),
  };
}

/** Lists what was not evaluated in this episode, so that a missing flag is not mistaken for a pass. */
function listLimits(subject: Subject): string[] {
  const limits: string[] = [];
  const { clockless, declared_rate } = subject.episode;
  if (clockless !== undefined) {
    const rate = declared_rate?.used === true ? ', and the declared rate cannot be verified' : '';
    limits.push(
      `capture times: ${clockless}: pauses, losses and lags of the recorder are not visible${rate}`,
    );
  }
  for (const stream of subject.episode.streams) {
    if (stream.frames !== undefined) addCameraLimits(stream.id, subject, limits);
    else if (stream.modality === 'opaque') limits.push(`${stream.id}: contents not read`);
  }
  if (subject.kind === 'aerial-flight') addFlightLimits(subject, limits);
  return limits;
}

/** Adds limits for flights without battery voltage or without satellite fix quality. */
function addFlightLimits(subject: Subject, limits: string[]): void {
  const flight = measureFlight(subject);
  if ((flight?.battery ?? null) === null) limits.push('power: no battery voltage recorded in flight');
  if ((flight?.satellites.length ?? 0) === 0) limits.push('GNSS: no fix quality recorded in flight');
}

function addCameraLimits(id: string, subject: Subject, limits: string[]): void {
  const evidence = subject.cameras.get(id);
  if (evidence === undefined || evidence.decodable === 'not_measured') {
    limits.push(
      `${id}: ${evidence?.reason === picturesSkippedReason ? picturesSkippedReason : 'images were not decoded'}`,
    );
    return;
  }
  const frames = evidence.container?.frame_count ?? 0;
  const decoded = evidence.sampled.index.length;
  if (decoded > 0 && frames > decoded)
    limits.push(`${id}: exposure and sharpness measured in ${decoded} of ${frames} frames`);
  if (evidence.repeats.method === 'sampled')
    limits.push(
      `${id}: repeated frames checked in ${evidence.repeats.pairs_compared} of ${frames - 1} pairs of consecutive frames`,
    );
}

type TimelineFacts = NonNullable<ReceiptFacts['timeline']>;

/** Summarizes the timestamps of all clocks. `null` if the source stores no capture times. */
function timelineFacts(subject: Subject): TimelineFacts | null {
  const clocks = collectClocks(subject);
  if (clocks.length === 0 || subject.episode.clockless !== undefined) return null;
  const recorded = clocks.filter(({ stream }) => isRecorded(stream));
  const paced = recorded.filter(({ stream }) => shouldKeepRate(stream));
  const uneven = findWorst(paced, ({ clock }) => clock.jitter_ratio);
  const lossy = findWorst(paced, ({ clock }) => computeLostShare(clock));
  const sum = (of: (clock: ClockFeatures) => number): number =>
    clocks.reduce((total, { clock }) => total + of(clock), 0);
  return {
    clocks: clocks.length,
    dropped_share: measureDropouts(subject.episode)?.share ?? null,
    jitter: uneven === null ? null : roundFinite(uneven.clock.jitter_ratio, 4),
    jitter_stream: uneven?.stream.id ?? null,
    lost_share: lossy === null ? null : roundFinite(computeLostShare(lossy.clock)),
    lost_stream: lossy?.stream.id ?? null,
    non_finite: sum((clock) => clock.non_finite),
    recorded: recorded.length,
    reversals: sum((clock) => clock.reversals),
    rows: recorded.length > 0 ? null : countLeapingRows(subject),
    samples: sum((clock) => clock.samples),
  };
}

interface StreamClock {
  readonly stream: Stream;
  readonly clock: ClockFeatures;
}

/**
 * Collects the clocks of recorded streams. Streams that share timestamps (columns of one table) count once.
 */
function collectClocks({ episode, features }: Subject): StreamClock[] {
  const countedClocks = new Set<ClockFeatures>();
  return episode.streams.flatMap((stream) => {
    const clock = recordedRoles.has(stream.role) ? features.clock(stream) : null;
    if (clock === null || countedClocks.has(clock)) return [];
    countedClocks.add(clock);
    return [{ stream, clock: adjustClockFeatures(clock, stream, episode) }];
  });
}

const isRecorded = (stream: Stream): boolean => clockOf(stream)?.provenance !== 'synthesised';

const computeLostShare = ({ missing, samples }: ClockFeatures): number =>
  missing + samples > 0 ? missing / (missing + samples) : 0;

function findWorst(clocks: readonly StreamClock[], of: (held: StreamClock) => number): StreamClock | null {
  return clocks.reduce<StreamClock | null>(
    (most, next) => (most === null || of(next) > of(most) ? next : most),
    null,
  );
}

/**
 * Counts the rows of one table that move, and those at which state and action both leap. `null` if state and
 * action do not share rows or the signals are not suitable.
 */
function countLeapingRows({ features }: Subject): TimelineFacts['rows'] {
  const pair = features.pair();
  if (pair === null || !pair.same_rows) return null;
  const rows = measureMissingRows(
    pair.state,
    features.forStream(pair.state),
    pair.action,
    features.forStream(pair.action),
  );
  return rows === null ? null : { leaping: rows.leaping, moving: rows.moving };
}

/**
 * Name and version of the program, written into every receipt. A test keeps the version equal to
 * package.json's.
 */
export const engine = { name: 'assay', version: '0.1.0' } as const;
