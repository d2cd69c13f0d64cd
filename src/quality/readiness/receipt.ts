import { canonicalJson, sha256, significant } from '#core';
import type { Receipt, ReceiptFacts } from '#core/api';
import {
  clockOf,
  type Episode,
  type EpisodeCut,
  keepsRate,
  picturesLeftOut,
  recordedRoles,
  type Stream,
} from '#core/episode';
import type { Subject } from './check.ts';
import { flightFacts } from './checks/flight/flight-health.ts';
import { dropoutFacts } from './checks/timeline/dropouts.ts';
import { heldAgainst } from './checks/timeline/facts.ts';
import { contentLagFacts } from './facts/content-lag-facts.ts';
import type { ClockFeatures } from './features/clocks/clock-features.ts';
import { missingRows } from './features/clocks/missing-rows.ts';
import { plain } from './features/plain.ts';

/** A receipt before it is sealed. */
export type ReceiptBody = Omit<Receipt, 'content_hash'>;

/** What a receipt says of the episode itself, without checks: plain JSON, kept between measuring and judging. */
export type EpisodeRecord = Pick<
  ReceiptBody,
  'episode' | 'facts' | 'findings' | 'grippers' | 'kind' | 'limits' | 'pictures' | 'sources' | 'streams'
>;

/** The little of a record that a table names an episode by. */
export interface EpisodeBrief {
  readonly episode: Pick<EpisodeRecord['episode'], 'id' | 'index' | 'duration_s'>;
  readonly kind: Pick<EpisodeRecord['kind'], 'kind'>;
  /** What its reader found wrong with it. */
  readonly findings: readonly Pick<
    EpisodeRecord['findings'][number],
    'code' | 'severity' | 'message' | 'advice'
  >[];
}

/** Keeps of an episode what a table needs, where no receipt will be made. */
export function briefOf({ episode, kind }: Subject): EpisodeBrief {
  const { id, index, duration_s } = episode;
  const findings = episode.findings.map(({ code, severity, message, advice }) => ({
    ...{ code, severity, message, advice },
  }));
  return { episode: { id, index, duration_s: significant(duration_s, 9) }, kind: { kind }, findings };
}

/** Keeps of an episode what its receipt needs; the arrays may go afterwards. */
export function recordOf(subject: Subject, kindEvidence: readonly string[]): EpisodeRecord {
  const { episode } = subject;
  return {
    episode: episodeFacts(episode),
    facts: measuredFacts(subject),
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
    limits: limitsOf(subject),
    ...picturesOf(subject),
    sources: episode.sources.map(({ bytes, path, role, sha256 }) => ({ bytes, path, role, sha256 })),
    streams: episode.streams.map((stream) => streamFacts(stream, subject)),
  };
}

/** Said where it is not as usual. */
function picturesOf({ pictures = 'sampled' }: Subject): Pick<EpisodeRecord, 'pictures'> {
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
    measured_rate_hz: measuredRate(stream, subject),
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

/** 1 / median step of the chosen clock; for a video without one, what the container's stamps say. */
function measuredRate(stream: Stream, { features, cameras }: Subject): number | null {
  const step_s = features.clock(stream)?.median_step_s ?? 0;
  if (step_s > 0) return significant(1 / step_s);
  const rate_hz = cameras.get(stream.id)?.container?.rate_hz;
  return rate_hz == null ? null : significant(rate_hz);
}

/**
 * Seals a receipt: its canonical JSON (RFC 8785), with `content_hash` the SHA-256 of the canonical JSON of everything
 * else. `json` is what is written to disk.
 */
export function sealReceipt(body: ReceiptBody): { readonly receipt: Receipt; readonly json: string } {
  try {
    return sealed(body);
  } catch {
    // Text of a recording may hold half a surrogate pair, which no JSON can carry; it reads as U+FFFD then.
    return sealed(repaired(body));
  }
}

function sealed(body: ReceiptBody): { readonly receipt: Receipt; readonly json: string } {
  const { before, after } = aroundHash(body);
  const content_hash = sha256(`${before},${after}`);
  return {
    receipt: { ...body, content_hash },
    json: `${before},"content_hash":"${content_hash}",${after}`,
  };
}

function repaired(body: ReceiptBody): ReceiptBody {
  return JSON.parse(JSON.stringify(body), (_, value) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  );
}

/** The canonical text up to where `content_hash` belongs, and from there on. */
function aroundHash({ canonicalisation, checks, ...rest }: ReceiptBody): { before: string; after: string } {
  return {
    before: canonicalJson({ canonicalisation, checks }).slice(0, -1),
    after: canonicalJson(rest).slice(1),
  };
}

/** What certification reads of an episode and no check grades; members in the order of their names. */
function measuredFacts(subject: Subject): ReceiptFacts {
  const pair = subject.features.pair();
  const timeline = timelineFacts(subject);
  const content_lag = contentLagFacts(subject);
  return {
    ...(content_lag === null ? {} : { content_lag }),
    ...(pair === null ? {} : { same_rows: pair.same_rows }),
    ...(timeline === null ? {} : { timeline }),
  };
}

/** What was not evaluated of this episode, so that nobody takes silence for a pass. */
function limitsOf(subject: Subject): string[] {
  const limits: string[] = [];
  const { clockless, declared_rate } = subject.episode;
  if (clockless !== undefined) {
    const rate = declared_rate?.used === true ? ', the declared rate is taken on trust' : '';
    limits.push(`capture times: ${clockless}: pauses, losses and lags of the recorder cannot be seen${rate}`);
  }
  for (const stream of subject.episode.streams) {
    if (stream.frames !== undefined) addCamera(stream.id, subject, limits);
    else if (stream.modality === 'opaque') limits.push(`${stream.id}: contents were not read`);
  }
  if (subject.kind === 'aerial-flight') addFlight(subject, limits);
  return limits;
}

/** Silence about power and position is no word that they were sound. */
function addFlight(subject: Subject, limits: string[]): void {
  const flight = flightFacts(subject);
  if ((flight?.battery ?? null) === null) limits.push('power: no battery voltage was recorded in flight');
  if ((flight?.satellites.length ?? 0) === 0)
    limits.push('satellite fix: no receiver recorded how good its fix was in flight');
}

function addCamera(id: string, subject: Subject, limits: string[]): void {
  const evidence = subject.cameras.get(id);
  if (evidence === undefined || evidence.decodable === 'not_measured') {
    limits.push(
      `${id}: ${evidence?.reason === picturesLeftOut ? picturesLeftOut : 'pictures were not decoded'}`,
    );
    return;
  }
  const frames = evidence.container?.frame_count ?? 0;
  const decoded = evidence.sampled.index.length;
  if (decoded > 0 && frames > decoded)
    limits.push(`${id}: exposure, sharpness and blankness from ${decoded} of ${frames} frames`);
  if (evidence.repeats.method === 'sampled')
    limits.push(
      `${id}: repeated frames looked for in ${evidence.repeats.pairs_compared} of ${frames - 1} pairs`,
    );
}

type TimelineFacts = NonNullable<ReceiptFacts['timeline']>;

/** What the stamps of all clocks say together; null where the source holds none. */
function timelineFacts(subject: Subject): TimelineFacts | null {
  const clocks = clocksOf(subject);
  if (clocks.length === 0 || subject.episode.clockless !== undefined) return null;
  const recorded = clocks.filter(({ stream }) => isRecorded(stream));
  const paced = recorded.filter(({ stream }) => keepsRate(stream));
  const uneven = worstOf(paced, ({ clock }) => clock.jitter_ratio);
  const lossy = worstOf(paced, ({ clock }) => lostShare(clock));
  const sum = (of: (clock: ClockFeatures) => number): number =>
    clocks.reduce((total, { clock }) => total + of(clock), 0);
  return {
    clocks: clocks.length,
    dropped_share: dropoutFacts(subject.episode)?.share ?? null,
    jitter: uneven === null ? null : plain(uneven.clock.jitter_ratio, 4),
    jitter_stream: uneven?.stream.id ?? null,
    lost_share: lossy === null ? null : plain(lostShare(lossy.clock)),
    lost_stream: lossy?.stream.id ?? null,
    non_finite: sum((clock) => clock.non_finite),
    recorded: recorded.length,
    reversals: sum((clock) => clock.reversals),
    rows: recorded.length > 0 ? null : leapingRows(subject),
    samples: sum((clock) => clock.samples),
  };
}

interface HeldClock {
  readonly stream: Stream;
  readonly clock: ClockFeatures;
}

/** Columns of one table share their stamps, which count once. */
function clocksOf({ episode, features }: Subject): HeldClock[] {
  const seen = new Set<ClockFeatures>();
  return episode.streams.flatMap((stream) => {
    const clock = recordedRoles.has(stream.role) ? features.clock(stream) : null;
    if (clock === null || seen.has(clock)) return [];
    seen.add(clock);
    return [{ stream, clock: heldAgainst(clock, stream, episode) }];
  });
}

const isRecorded = (stream: Stream): boolean => clockOf(stream)?.provenance !== 'synthesised';

const lostShare = ({ missing, samples }: ClockFeatures): number =>
  missing + samples > 0 ? missing / (missing + samples) : 0;

function worstOf(clocks: readonly HeldClock[], of: (held: HeldClock) => number): HeldClock | null {
  return clocks.reduce<HeldClock | null>(
    (most, next) => (most === null || of(next) > of(most) ? next : most),
    null,
  );
}

/** Rows of one table that move, and those at which state and action both leap; null where that cannot be told. */
function leapingRows({ features }: Subject): TimelineFacts['rows'] {
  const pair = features.pair();
  if (pair === null || !pair.same_rows) return null;
  const rows = missingRows(pair.state, features.of(pair.state), pair.action, features.of(pair.action));
  return rows === null ? null : { leaping: rows.leaping, moving: rows.moving };
}
