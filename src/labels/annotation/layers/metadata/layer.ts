import { type JsonObject, significant } from '#core';
import type { Stream, StreamRole } from '#core/episode';
import { layerTitles } from '#core/titles';
import {
  type Lane,
  type LaneContext,
  type LaneEpisode,
  roundToMicroseconds,
  type SignalOutput,
  toLaneOutput,
} from '../../lane.ts';
import { allModes, countSampledPictures, type LayerRow } from '../../layer.ts';
import { driveManoeuvres, manoeuvreLimits } from '../../motion/drive-manoeuvres.ts';
import { flightPhases, phaseLimits } from '../../motion/flight-phases.ts';
import type { GripperTrack } from '../../motion/gripper-events.ts';
import { type EpisodeMotion, episodeMotion, type Motion, observedTime } from '../../motion/motion.ts';
import type { LabelledRun } from '../../motion/signal-grid.ts';
import { statisticsSize } from '../../vision/frame-statistics.ts';
import { CameraStatistics } from './camera-look.ts';
import {
  type Fact,
  type Facts,
  factsJson,
  filledFraction,
  inapplicableFact,
  knownFact,
  recordingFacts,
  unknownFact,
} from './facts.ts';
import { detectedFacts } from './seen-facts.ts';

/** Analysed frames per second. */
const analysed_hz = 2;

/** Collects facts about the recording, its numbers, its pictures, and what other layers detected in them. */
const lane: Lane = {
  version: 2,
  run: async (episode, context) => {
    const pictures = await pictureFacts(episode, context);
    const decoded = await detectedFacts(episode, context);
    return toLaneOutput(computeMetadata(episode, { ...pictures, ...decoded }));
  },
};

/** The metadata layer. */
export const metadata: LayerRow = {
  id: 'metadata',
  title: layerTitles.metadata,
  produces:
    'facts about the episode for search and filters: duration, rates, cameras, robot, tasks, outcome, gripper cycles, idle time, range and energy of motion; brightness, blur, clutter, scene cuts and camera motion; people, hands and environment found by other layers',
  needs: {
    signals: true,
    frames: () => ({ cameras: 'all', rate_hz: analysed_hz, ...statisticsSize }),
    frames_optional: true,
    layers: [],
    layers_after_frames: ['object_labels', 'hand_pose', 'body_pose'],
    models: [],
  },
  unfit: {},
  quality: {
    signal: 'filled_fraction',
    how: 'fraction of the applicable facts that are known, all with the same weight',
  },
  exports: [],
  modes: allModes,
  fallback: 'in_run',
  not_served: null,
  knobs: {},
  planned_compute_s: (size) =>
    0.005 + 0.0001 * size.duration_s + 0.005 * countSampledPictures(size, analysed_hz),
  lane,
};

/**
 * Returns the `metadata` artifact: facts about recording, motion and manoeuvres, and `extra` from pictures; its quality
 * is the known fraction of the applicable facts, `null` if none is applicable. Unknown facts are `null` with a reason.
 */
export function computeMetadata(episode: LaneEpisode, extra: Facts = {}): SignalOutput {
  const facts = {
    ...recordingFacts(episode.facts),
    ...motionFacts(episode),
    ...manoeuvreFacts(episode),
    ...extra,
  };
  const knownCount = Object.values(facts).filter(({ status }) => status === 'told').length;
  const filled = filledFraction(facts);
  return {
    artifact: { facts: factsJson(facts), schema: 'assay/metadata/v1' },
    counts: { facts: knownCount },
    quality: filled === null ? null : significant(filled, 4),
    quality_reason: filled === null ? 'no fact applies' : null,
  };
}

const maxRuns = 500;

/** Returns driving manoeuvres or flight phases as runs, with the limits that define them. */
function manoeuvreFacts(episode: LaneEpisode): Facts {
  const { kind } = episode.facts.kind;
  const none = (what: string) => inapplicableFact(`not a ${what}`);
  const [phases, manoeuvres] = [flightPhases(episode), driveManoeuvres(episode)];
  return {
    flight_phases:
      kind !== 'aerial-flight'
        ? none('flight')
        : runsFact(phases, phaseLimits, 'no stream has position and velocity in NED'),
    manoeuvres:
      kind !== 'drive-log'
        ? none('drive')
        : runsFact(manoeuvres, manoeuvreLimits, 'no stream has the vehicle speed'),
  };
}

function runsFact(runs: readonly LabelledRun<string>[] | null, limits: JsonObject, why: string): Fact {
  if (runs === null) return unknownFact(why);
  const lasting_s: Record<string, number> = {};
  for (const { label, from_s, to_s } of runs)
    lasting_s[label] = roundToMicroseconds((lasting_s[label] ?? 0) + to_s - from_s);
  const sorted = Object.fromEntries(Object.entries(lasting_s).sort(([a], [b]) => (a < b ? -1 : 1)));
  return knownFact({
    lasting_s: sorted,
    limits,
    runs: runs.slice(0, maxRuns).map(({ label, from_s, to_s }) => ({
      from_s: roundToMicroseconds(from_s),
      to_s: roundToMicroseconds(to_s),
      what: label,
    })),
    runs_in_all: runs.length,
  });
}

/** Computes picture facts per camera. */
async function pictureFacts(
  { facts: { streams, kind } }: LaneEpisode,
  context: Pick<LaneContext, 'frames' | 'progress' | 'signal'>,
): Promise<Facts> {
  if (!streams.some(({ role }) => role === 'camera')) return samePictureFacts(inapplicableFact('no images'));
  const cameras = new Map<string, CameraStatistics>();
  for await (const batch of context.frames()) {
    context.signal.throwIfAborted();
    context.progress();
    const statistics = cameras.get(batch.camera) ?? new CameraStatistics();
    cameras.set(batch.camera, statistics);
    statistics.add(batch);
  }
  const decoded = [...cameras].filter(([, look]) => look.frames > 0);
  const reason = [...cameras.values()].find(({ unreadable }) => unreadable !== null)?.unreadable;
  if (decoded.length === 0)
    return samePictureFacts(unknownFact(`no image could be decoded: ${reason ?? 'no camera has frames'}`));
  const each = (ofRole: (look: CameraStatistics) => JsonObject | null, none: string): Fact => {
    const found = decoded.flatMap(([stream, look]) => {
      const value = ofRole(look);
      return value === null ? [] : [{ ...value, stream }];
    });
    return found.length > 0 ? knownFact(found) : unknownFact(none);
  };
  const isStill = kind.kind === 'vision-asset';
  const notApplicable = inapplicableFact('still images have no motion');
  return {
    blur: each((look) => look.blur(), noPairReason),
    brightness: each((look) => look.brightness(), noPairReason),
    camera_motion: isStill ? notApplicable : each((look) => look.motion(), noPairReason),
    clutter: each((look) => look.clutter(), noPairReason),
    scene_cuts: isStill ? notApplicable : each((look) => look.cuts(), noPairReason),
  };
}

const noPairReason = 'no two comparable frames';

const samePictureFacts = (fact: Fact): Facts => ({
  blur: fact,
  brightness: fact,
  camera_motion: fact,
  clutter: fact,
  scene_cuts: fact,
});

const motionRoles = ['action', 'odometry', 'state'] as const satisfies readonly StreamRole[];

/** Computes motion facts from the numeric streams. */
function motionFacts(episode: LaneEpisode): Facts {
  const motion = episodeMotion(episode);
  const grouped = motionRoles.map((role) => [`motion_${role}`, roleFact(role, episode.streams, motion)]);
  return {
    ...Object.fromEntries(grouped),
    ...gripperFacts(episode, motion.grippers()),
    ...restFacts(episode.streams, motion.main()),
  };
}

const isNumeric = ({ modality }: Stream) => modality === 'numeric';

function roleFact(role: StreamRole, streams: readonly Stream[], { ofRole }: EpisodeMotion): Fact {
  if (!streams.some((stream) => stream.role === role && isNumeric(stream)))
    return inapplicableFact(`no ${role} stream`);
  const motion = ofRole(role);
  if (motion === null) return unknownFact(`no ${role} stream with timestamps shows motion`);
  const observed_s = observedTime(motion);
  return observed_s > 0 ? knownFact(extentAndEnergy(motion, observed_s)) : unknownFact(tooFewRowsReason);
}

const tooFewRowsReason = 'fewer than two rows with values and different timestamps';

/**
 * Computes extent and energy of a motion, without unit. A span is a dimension's range from the 1st to the 99th
 * percentile; for velocity streams (`nature` is `rate`), the 98th percentile of the absolute value.
 * - `path_spans`: path length of a dimension in spans, averaged over the moving dimensions; `null` for velocities.
 * - `mean_square_speed`: time average of the squared norm of the velocity vector, in (spans / s)²; for velocities, in
 *   spans².
 * - `typical_speed`: 90th percentile of that norm.
 * - `widest`: largest span among dimensions with a known unit, in that unit; `null` if there is none.
 */
function extentAndEnergy(
  { bins, moving, source, speed, typical_speed }: Motion,
  observed_s: number,
): JsonObject {
  const { from_s, to_s } = bins;
  const isRate = source.columns[0].nature === 'rate';
  let energy = 0;
  let path = 0;
  for (let b = 0; b < speed.length; b++) energy += speed[b] * speed[b] * (to_s[b] - from_s[b]);
  for (const { velocity } of moving)
    for (let b = 0; b < velocity.length; b++) path += Math.abs(velocity[b]) * (to_s[b] - from_s[b]);
  return {
    dims: bins.columns.length,
    dims_moving: moving.length,
    mean_square_speed: significant(energy / observed_s),
    nature: source.columns[0].nature,
    path_spans: isRate ? null : significant(path / Math.max(1, moving.length)),
    streams: source.streams.map(({ id }) => id),
    typical_speed: significant(typical_speed),
    widest: widestDimension(moving),
  };
}

const noUnitNames: readonly string[] = ['unknown', 'mixed', 'normalised'];

/** Returns the dimension with the largest span among those with a known unit; `null` if there is none. */
function widestDimension(moving: Motion['moving']): JsonObject | null {
  let widest: JsonObject | null = null;
  let widestSpan = 0;
  for (const { column, own_span } of moving) {
    const { stream, dimension } = column;
    const { evidence, unit } = stream.unit;
    if (evidence === 'unknown' || noUnitNames.includes(unit) || own_span <= widestSpan) continue;
    widestSpan = own_span;
    const name = stream.names?.[dimension] ?? null;
    widest = { dimension, name, span: significant(own_span), stream: stream.id, unit };
  }
  return widest;
}

/** Counts changes per gripper. A cycle is one closing plus one opening, counted only if the open value is known. */
function gripperFacts({ facts }: LaneEpisode, tracks: readonly GripperTrack[]): Facts {
  if (tracks.length === 0) {
    const reason =
      facts.grippers.length > 0 ? unknownFact(`${facts.grippers[0].stream} has no timestamps`) : null;
    const none = reason ?? inapplicableFact('no stream has a gripper');
    return { gripper_changes: none, gripper_cycles: none };
  }
  const counted = tracks.map(({ stream, dimension, events, open_value }) => {
    const closes = events.filter(({ change }) => change === 'close').length;
    const opens = events.filter(({ change }) => change === 'open').length;
    return {
      changes: { changes: events.length, dimension, stream: stream.id },
      cycles: { closes, cycles: Math.min(closes, opens), dimension, opens, stream: stream.id },
      open_value,
    };
  });
  const knownDirection = counted.filter(({ open_value }) => open_value !== null);
  return {
    gripper_changes: knownFact(counted.map(({ changes }) => changes)),
    gripper_cycles:
      knownDirection.length > 0
        ? knownFact(knownDirection.map(({ cycles }) => cycles))
        : unknownFact('unknown which gripper value means open'),
  };
}

/** Computes the moving fraction and the idle time at start and end. */
function restFacts(streams: readonly Stream[], motion: Motion | null): Facts {
  const observed_s = motion === null ? 0 : observedTime(motion);
  if (motion === null || !(observed_s > 0)) {
    const moves = streams.some(
      ({ role, series }) => series !== undefined && (role === 'state' || role === 'action'),
    );
    const none =
      motion !== null
        ? unknownFact(tooFewRowsReason)
        : moves
          ? unknownFact('its rows have no timestamps')
          : inapplicableFact('no stream shows motion');
    return { idle_end_s: none, idle_start_s: none, moving_fraction: none };
  }
  const {
    bins: { count, from_s, to_s },
    rests,
  } = motion;
  const lasts = ([from, to]: readonly [number, number]) => to_s[to - 1] - from_s[from];
  const rested_s = rests.reduce((sum, span) => sum + lasts(span), 0);
  const first = rests.find(([from]) => from === 0);
  const last = rests.find(([, to]) => to === count);
  return {
    idle_end_s: knownFact(last === undefined ? 0 : significant(lasts(last))),
    idle_start_s: knownFact(first === undefined ? 0 : significant(lasts(first))),
    moving_fraction: knownFact(significant(Math.max(0, 1 - rested_s / observed_s), 4)),
  };
}
