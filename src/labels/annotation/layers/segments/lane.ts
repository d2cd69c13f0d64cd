import { type JsonObject, type JsonValue, significant } from '#core';
import { integer, type LayerConfig, number } from '../../knob.ts';
import type { Lane, LaneContext, LaneEpisode } from '../../lane.ts';
import { type FlightPhase, flightPhases } from '../../manoeuvres/flight-phases.ts';
import { labelAt, type Run } from '../../manoeuvres/signal-grid.ts';
import { micro } from '../../micro.ts';
import { episodeMotion } from '../../motion/episode-motion.ts';
import { type Extent, extentOf } from '../../motion/extent.ts';
import type { GripperTrack } from '../../motion/gripper-events.ts';
import { type Motion, observedTime } from '../../motion/motion.ts';
import { quantiles } from '../../motion/quantile.ts';
import { oneJson, type SignalOutput } from '../../signal-output.ts';
import { motionJson, rowsJson, type Span, spanJson, spansOf, withRowClock } from './artifact.ts';
import { candidatesOf, type Marks, unobservedSpans } from './candidates.ts';
import { Chosen, takeChangePoints } from './change-points.ts';
import { type PictureActivity, pictureActivity } from './picture-activity.ts';

/** By the numbers of the episode; where none tells how anything moves, by how the picture of its first camera changes. */
export const lane: Lane = {
  version: 2,
  requires: [],
  run: async (episode, context) => oneJson(await segmentsOf(episode, context)),
};

async function segmentsOf(episode: LaneEpisode, context: LaneContext): Promise<SignalOutput> {
  const hasCamera = episode.facts.streams.some(({ role }) => role === 'camera');
  if (!hasCamera || episodeMotion(episode).main() !== null) return findSegments(episode, context.config);
  const seen = await pictureActivity(episode, context);
  return findSegments(episode, context.config, seen);
}

/**
 * Cuts an episode into spans that follow one another without gap or overlap, on the clock of the streams that tell its
 * motion best. What is cut at: `boundary.ts`; what a span is: `spans.ts`. What nobody can place in time, or whose motion
 * was not recorded, is one span of unknown content; where no stream has a clock, `rows` has spans by the numbers of rows.
 */
export function findSegments(
  episode: LaneEpisode,
  config: LayerConfig,
  seen: PictureActivity | null = null,
): SignalOutput {
  const shortest_s = Number(config.min_duration_s ?? knobs.min_duration_s.default);
  const most = Number(config.max_segments ?? knobs.max_segments.default);
  const found = cutEpisode(episode, shortest_s, most, seen);
  if (!('reason' in found)) return outputOf(found, shortest_s);
  const one = whole(found.extent, shortest_s, found.reason);
  const clocked = withRowClock(episode);
  const rows = clocked === null ? null : cutEpisode(clocked, shortest_s, most);
  if (rows === null || 'reason' in rows || rows.spans.length === 1) return one;
  const told = outputOf(rows, shortest_s);
  return { ...told, artifact: { ...one.artifact, rows: rowsJson(told.artifact) } };
}

/** The spans that an episode is cut into where no knob is turned; none where nothing tells its motion. */
export function episodeSegments(episode: LaneEpisode): readonly Pick<Span, 'from_s' | 'to_s' | 'kind'>[] {
  const found = cutEpisode(episode, knobs.min_duration_s.default, knobs.max_segments.default);
  return 'reason' in found ? [] : found.spans;
}

interface Cut {
  readonly extent: Extent;
  readonly motion: Motion;
  readonly tracks: readonly GripperTrack[];
  readonly phases: readonly Run<FlightPhase>[];
  readonly spans: readonly Span[];
}

type CutEpisode = Cut | { readonly extent: Extent; readonly reason: string };

function cutEpisode(
  episode: LaneEpisode,
  shortest_s: number,
  most: number,
  seen: PictureActivity | null = null,
): CutEpisode {
  const { facts, streams } = episode;
  const measured = episodeMotion(episode);
  const motion = measured.main() ?? seen?.motion ?? null;
  const extent = extentOf(streams, motion?.source.time_s ?? null);
  if (extent === null)
    return { extent: { from_s: 0, to_s: facts.episode.duration_s }, reason: 'no stream has a clock' };
  if (motion === null) return { extent, reason: 'no stream with a clock tells how anything moves' };
  if (motion.bins.count === 0)
    return { extent, reason: `no number of ${motion.source.streams[0].id} can be used` };
  if (!(observedTime(motion) > 0)) return { extent, reason: 'no two rows have different stamps' };
  const tracks = measured.grippers();
  const phases = flightPhases(episode) ?? [];
  const spans = cut(motion, { tracks, phases, cuts_s: seen?.cuts_s ?? [] }, extent, shortest_s, most);
  return { extent, motion, tracks, phases, spans };
}

function cut(motion: Motion, marks: Marks, extent: Extent, shortest_s: number, most: number): Span[] {
  const chosen = new Chosen(extent, shortest_s, most);
  const unobserved = unobservedSpans(motion, extent, shortest_s);
  chosen.takeAll(candidatesOf(motion, marks, unobserved, shortest_s));
  takeChangePoints(motion, chosen, shortest_s);
  return spansOf(motion, marks.tracks, unobserved, chosen.boundaries, extent);
}

function outputOf({ motion, tracks, phases, spans, extent }: Cut, shortest_s: number): SignalOutput {
  const contrast = contrasts(motion, tracks, spans);
  const told = contrast.filter((value) => value !== null);
  const quality = told.length === 0 ? null : significant(medianOf(told), 4);
  const artifact = artifactOf(extent, shortest_s, {
    grippers: tracks.map(({ stream, dimension, name, open_value, events }) => ({
      changes: events.length,
      dimension,
      name,
      open_value,
      stream: stream.id,
    })),
    motion: motionJson(motion),
    reason: null,
    segments: spans.map((span, i) => ({
      ...spanJson(span, motion, tracks, i === 0 ? null : contrast[i - 1]),
      ...(phases.length > 0 && { phase: labelAt(phases, (span.from_s + span.to_s) / 2) }),
    })),
  });
  const none =
    spans.length === 1 ? 'one span, so there is no boundary' : 'no boundary has motion on both sides';
  return { artifact, counts: countsOf(spans), quality, quality_reason: quality === null ? none : null };
}

/** One span, where nothing says where to cut. */
function whole(extent: Extent, shortest_s: number, reason: string): SignalOutput {
  const span: Span = { ...extent, kind: 'unobserved', begins: null, bins: [0, 0] };
  const artifact = artifactOf(extent, shortest_s, {
    grippers: [],
    motion: null,
    reason,
    segments: [spanJson(span, null, [], null)],
  });
  return { artifact, counts: countsOf([span]), quality: null, quality_reason: reason };
}

type Found = Readonly<Record<'grippers' | 'motion' | 'reason' | 'segments', JsonValue>>;

function artifactOf(extent: Extent, shortest_s: number, found: Found): JsonObject {
  const { grippers, motion, reason, segments } = found;
  return {
    from_s: micro(extent.from_s),
    grippers,
    min_duration_s: shortest_s,
    motion,
    reason,
    schema: 'assay/segments/v1',
    segments,
    to_s: micro(extent.to_s),
  };
}

function countsOf(spans: readonly Span[]): Record<string, number> {
  const counts: Record<string, number> = { segments: spans.length };
  for (const { kind } of spans) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

function medianOf(values: readonly number[]): number {
  return quantiles(Float64Array.from(values), [0, values.length], [0.5])[0];
}

export const knobs = {
  min_duration_s: number([0.2, 10, 0.5], 's', { summary: 'shortest span' }),
  max_segments: integer([1, 200, 50], null, { summary: 'most spans of an episode' }),
};

/** Mean of each feature over a span, and the sum of their variances. */
interface Moments {
  readonly means: readonly number[];
  readonly variance: number;
}

/**
 * How much both sides of each boundary differ, 0 to 1, by the correlation ratio with equal weights: between / (between
 * + within), where between is ¼ · Σ (mean before − mean after)² and within ½ · Σ (variance before + variance after),
 * over the speed and the velocity of every dimension that moves; or, where a gripper changes, over where the gripper
 * is, if that is more. 0: nothing tells the sides apart; 1: each side is all alike and unlike the other. Null where a
 * side was not observed.
 */
function contrasts(
  motion: Motion,
  tracks: readonly GripperTrack[],
  spans: readonly Span[],
): (number | null)[] {
  const moments = spans.map(({ kind, bins }) => (kind === 'unobserved' ? null : momentsOf(motion, bins)));
  return spans.slice(1).map((after, i) => {
    const before = spans[i];
    const ofMotion = contrast(moments[i], moments[i + 1]);
    if (after.begins?.type !== 'gripper') return ofMotion;
    const { stream, dimension } = after.begins;
    const track = tracks.find((own) => own.stream.id === stream && own.dimension === dimension);
    const ofGripper = track === undefined ? null : contrast(heldAt(track, before), heldAt(track, after));
    return ofMotion === null ? ofGripper : Math.max(ofMotion, ofGripper ?? 0);
  });
}

function contrast(a: Moments | null, b: Moments | null): number | null {
  if (a === null || b === null) return null;
  let between = 0;
  for (let f = 0; f < a.means.length; f++) between += (a.means[f] - b.means[f]) ** 2 / 4;
  const within = (a.variance + b.variance) / 2;
  return between + within > 0 ? between / (between + within) : 0;
}

function momentsOf({ moving, speed }: Motion, [from, to]: Span['bins']): Moments | null {
  if (to <= from) return null;
  const features = [speed, ...moving.map(({ velocity }) => velocity)];
  return momentsIn(features, from, to);
}

function momentsIn(features: readonly Float64Array[], from: number, to: number): Moments {
  let variance = 0;
  const means: number[] = [];
  for (const x of features) {
    let sum = 0;
    let squares = 0;
    for (let i = from; i < to; i++) {
      sum += x[i];
      squares += x[i] * x[i];
    }
    const mean = sum / (to - from);
    variance += Math.max(0, squares / (to - from) - mean * mean);
    means.push(mean);
  }
  return { means, variance };
}

/** Where the gripper is during a span, by the rows in it. */
function heldAt({ time_s, values }: GripperTrack, { from_s, to_s }: Span): Moments | null {
  const [from, to] = [lowerBound(time_s, from_s), lowerBound(time_s, to_s)];
  return to > from ? momentsIn([values], from, to) : null;
}

function lowerBound(times: Float64Array, at_s: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle] < at_s) low = middle + 1;
    else high = middle;
  }
  return low;
}
