import { type JsonObject, type JsonValue, significant } from '#core';
import { layerTitles } from '#core/titles';
import { integerKnob, type LayerConfig, numberKnob } from '../../knob.ts';
import {
  type Lane,
  type LaneContext,
  type LaneEpisode,
  roundToMicroseconds,
  type SignalOutput,
  toLaneOutput,
} from '../../lane.ts';
import { allModes, type LayerRow, noMotionReason } from '../../layer.ts';
import { type FlightPhase, flightPhases } from '../../motion/flight-phases.ts';
import type { GripperTrack } from '../../motion/gripper-events.ts';
import { episodeMotion, type Motion, observedTime } from '../../motion/motion.ts';
import { quantiles } from '../../motion/quantile.ts';
import { type LabelledRun, labelAt } from '../../motion/signal-grid.ts';
import { statisticsSize } from '../../vision/frame-statistics.ts';
import { buildSpans, motionJson, rowsJson, type Span, spanJson, withRowClock } from './artifact.ts';
import {
  type Extent,
  findCandidates,
  type KnownEvents,
  recordedExtent,
  unobservedSpans,
} from './boundaries.ts';
import { addChangePoints, BoundarySelection } from './change-points.ts';
import { measurePictureActivity, type PictureActivity } from './picture-activity.ts';

/** Settings of the segments layer. */
const knobs = {
  min_duration_s: numberKnob([0.2, 10, 0.5], 's', { summary: 'minimum duration of a segment' }),
  max_segments: integerKnob([1, 200, 50], null, { summary: 'maximum number of segments per episode' }),
};

/** Segments by the numeric streams; if none of them shows motion, by picture changes of the first camera. */
const lane: Lane = {
  version: 2,
  run: async (episode, context) => toLaneOutput(await computeSegments(episode, context)),
};

/** The segments layer. */
export const segments: LayerRow = {
  id: 'segments',
  title: layerTitles.segments,
  produces: 'segments of the episode between gripper events, stops and changes of motion, each with its kind',
  needs: {
    signals: true,
    frames: () => ({ cameras: 'first', rate_hz: 5, ...statisticsSize }),
    frames_optional: true,
    layers: [],
    models: [],
  },
  unfit: {
    'drive-log': 'driving is one continuous action; for manoeuvres see the metadata layer',
    'vision-asset': noMotionReason,
  },
  quality: {
    signal: 'boundary_contrast',
    how: 'median over the boundaries of how much the motion or gripper state differs between both sides, relative to its variation within them',
  },
  exports: ['lerobot-v3', 'webdataset', 'mcap'],
  modes: allModes,
  fallback: 'in_run',
  not_served: null,
  knobs,
  planned_compute_s: ({ duration_s }) => 0.01 + 0.0005 * duration_s,
  lane,
};

async function computeSegments(episode: LaneEpisode, context: LaneContext): Promise<SignalOutput> {
  const hasCamera = episode.facts.streams.some(({ role }) => role === 'camera');
  if (!hasCamera || episodeMotion(episode).main() !== null) return findSegments(episode, context.config);
  const pictureActivity = await measurePictureActivity(episode, context);
  return findSegments(episode, context.config, pictureActivity);
}

/**
 * Divides an episode into consecutive spans without gap or overlap by its motion; one `unobserved` span with the
 * reason without usable motion, with spans by row number in `rows` if no stream has a clock. The clock is that of the
 * streams that show the motion best. See `BoundaryType` and `SpanKind`.
 */
export function findSegments(
  episode: LaneEpisode,
  config: LayerConfig,
  pictureActivity: PictureActivity | null = null,
): SignalOutput {
  const minSpan_s = Number(config.min_duration_s ?? knobs.min_duration_s.default);
  const maxSpans = Number(config.max_segments ?? knobs.max_segments.default);
  const result = segmentEpisode(episode, minSpan_s, maxSpans, pictureActivity);
  if (!('reason' in result)) return buildOutput(result, minSpan_s);
  const unsegmented = singleSpan(result.extent, minSpan_s, result.reason);
  const withRows = withRowClock(episode);
  const rows = withRows === null ? null : segmentEpisode(withRows, minSpan_s, maxSpans);
  if (rows === null || 'reason' in rows || rows.spans.length === 1) return unsegmented;
  const defined = buildOutput(rows, minSpan_s);
  return { ...defined, artifact: { ...unsegmented.artifact, rows: rowsJson(defined.artifact) } };
}

interface SegmentedEpisode {
  readonly extent: Extent;
  readonly motion: Motion;
  readonly tracks: readonly GripperTrack[];
  readonly phases: readonly LabelledRun<FlightPhase>[];
  readonly spans: readonly Span[];
}

type SegmentationResult = SegmentedEpisode | { readonly extent: Extent; readonly reason: string };

function segmentEpisode(
  episode: LaneEpisode,
  minSpan_s: number,
  maxSpans: number,
  pictureActivity: PictureActivity | null = null,
): SegmentationResult {
  const { facts, streams } = episode;
  const measured = episodeMotion(episode);
  const motion = measured.main() ?? pictureActivity?.motion ?? null;
  const extent = recordedExtent(streams, motion?.source.time_s ?? null);
  if (extent === null)
    return { extent: { from_s: 0, to_s: facts.episode.duration_s }, reason: 'no stream has timestamps' };
  if (motion === null) return { extent, reason: 'no stream with timestamps shows motion' };
  if (motion.bins.count === 0)
    return { extent, reason: `${motion.source.streams[0].id} has no usable values` };
  if (!(observedTime(motion) > 0)) return { extent, reason: 'no two rows have different timestamps' };
  const tracks = measured.grippers();
  const phases = flightPhases(episode) ?? [];
  const spans = findSpans(
    motion,
    { tracks, phases, cuts_s: pictureActivity?.cuts_s ?? [] },
    extent,
    minSpan_s,
    maxSpans,
  );
  return { extent, motion, tracks, phases, spans };
}

function findSpans(
  motion: Motion,
  marks: KnownEvents,
  extent: Extent,
  minSpan_s: number,
  maxSpans: number,
): Span[] {
  const chosen = new BoundarySelection(extent, minSpan_s, maxSpans);
  const unobserved = unobservedSpans(motion, extent, minSpan_s);
  chosen.addAll(findCandidates(motion, marks, unobserved, minSpan_s));
  addChangePoints(motion, chosen, minSpan_s);
  return buildSpans(motion, marks.tracks, unobserved, chosen.boundaries, extent);
}

function buildOutput(
  { motion, tracks, phases, spans, extent }: SegmentedEpisode,
  minSpan_s: number,
): SignalOutput {
  const contrast = computeContrasts(motion, tracks, spans);
  const defined = contrast.filter((value) => value !== null);
  const quality = defined.length === 0 ? null : significant(computeMedian(defined), 4);
  const artifact = buildArtifact(extent, minSpan_s, {
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
    spans.length === 1
      ? 'only one segment, so no boundaries'
      : 'no segment boundary has motion both before and after it';
  return { artifact, counts: countKinds(spans), quality, quality_reason: quality === null ? none : null };
}

/** Returns one `unobserved` span with a reason. */
function singleSpan(extent: Extent, minSpan_s: number, reason: string): SignalOutput {
  const span: Span = { ...extent, kind: 'unobserved', begins: null, bins: [0, 0] };
  const artifact = buildArtifact(extent, minSpan_s, {
    grippers: [],
    motion: null,
    reason,
    segments: [spanJson(span, null, [], null)],
  });
  const counts = countKinds([span]);
  return { artifact, counts, not_produced: reason, quality: null, quality_reason: reason };
}

type ArtifactFields = Readonly<Record<'grippers' | 'motion' | 'reason' | 'segments', JsonValue>>;

function buildArtifact(extent: Extent, minSpan_s: number, result: ArtifactFields): JsonObject {
  const { grippers, motion, reason, segments } = result;
  return {
    from_s: roundToMicroseconds(extent.from_s),
    grippers,
    min_duration_s: minSpan_s,
    motion,
    reason,
    schema: 'assay/segments/v1',
    segments,
    to_s: roundToMicroseconds(extent.to_s),
  };
}

function countKinds(spans: readonly Span[]): Record<string, number> {
  const counts: Record<string, number> = { segments: spans.length };
  for (const { kind } of spans) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

function computeMedian(values: readonly number[]): number {
  return quantiles(Float64Array.from(values), [0, values.length], [0.5])[0];
}

/** Mean per feature over a span, and the sum of the variances. */
interface Moments {
  readonly means: readonly number[];
  readonly variance: number;
}

/**
 * Returns the contrast of each boundary, 0 to 1: the correlation ratio with equal weights, between / (between +
 * within), where between is ¼ · Σ (mean before − mean after)² and within is ½ · Σ (variance before + variance after),
 * over the speed and the velocity of each moving dimension. For a gripper change, the contrast of the gripper
 * position if that is larger. 0: the sides do not differ; 1: each side is constant and they differ. `null` if a side
 * was not observed.
 */
function computeContrasts(
  motion: Motion,
  tracks: readonly GripperTrack[],
  spans: readonly Span[],
): (number | null)[] {
  const moments = spans.map(({ kind, bins }) => (kind === 'unobserved' ? null : motionMoments(motion, bins)));
  return spans.slice(1).map((after, i) => {
    const before = spans[i];
    const ofMotion = contrastBetween(moments[i], moments[i + 1]);
    if (after.begins?.type !== 'gripper') return ofMotion;
    const { stream, dimension } = after.begins;
    const track = tracks.find((own) => own.stream.id === stream && own.dimension === dimension);
    const ofGripper =
      track === undefined
        ? null
        : contrastBetween(gripperMoments(track, before), gripperMoments(track, after));
    return ofMotion === null ? ofGripper : Math.max(ofMotion, ofGripper ?? 0);
  });
}

function contrastBetween(a: Moments | null, b: Moments | null): number | null {
  if (a === null || b === null) return null;
  let between = 0;
  for (let f = 0; f < a.means.length; f++) between += (a.means[f] - b.means[f]) ** 2 / 4;
  const within = (a.variance + b.variance) / 2;
  return between + within > 0 ? between / (between + within) : 0;
}

function motionMoments({ moving, speed }: Motion, [from, to]: Span['bins']): Moments | null {
  if (to <= from) return null;
  const features = [speed, ...moving.map(({ velocity }) => velocity)];
  return computeMoments(features, from, to);
}

function computeMoments(features: readonly Float64Array[], from: number, to: number): Moments {
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

/** Returns mean and variance of the gripper position during a span; `null` without rows in it. */
function gripperMoments({ time_s, values }: GripperTrack, { from_s, to_s }: Span): Moments | null {
  const [from, to] = [lowerBound(time_s, from_s), lowerBound(time_s, to_s)];
  return to > from ? computeMoments([values], from, to) : null;
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
