import { type JsonObject, significant } from '#core';
import type { Stream, StreamRole } from '#core/episode';
import type { Lane, LaneContext, LaneEpisode } from '../../lane.ts';
import { driveManoeuvres, manoeuvreLimits } from '../../manoeuvres/drive-manoeuvres.ts';
import { flightPhases, phaseLimits } from '../../manoeuvres/flight-phases.ts';
import type { Run } from '../../manoeuvres/signal-grid.ts';
import { micro } from '../../micro.ts';
import { type EpisodeMotion, episodeMotion } from '../../motion/episode-motion.ts';
import type { GripperTrack } from '../../motion/gripper-events.ts';
import { type Motion, observedTime } from '../../motion/motion.ts';
import { oneJson, type SignalOutput } from '../../signal-output.ts';
import { CameraLook } from './camera-look.ts';
import { type Fact, type Facts, factsJson, filledFraction, inapplicable, told, unknown } from './fact.ts';
import { recordingFacts } from './recording-facts.ts';
import { seenFacts } from './seen-facts.ts';

/** Facts of the recording, its numbers, its pictures, and of what other layers saw in them. */
export const lane: Lane = {
  version: 2,
  requires: [],
  run: async (episode, context) => {
    const pictures = await pictureFacts(episode, context);
    const seen = await seenFacts(episode, context);
    return oneJson(gatherFacts(episode, { ...pictures, ...seen }));
  },
};

/** Facts to search and filter by; `more`: those of pictures. What cannot be told is null with the reason, never a guess. */
export function gatherFacts(episode: LaneEpisode, more: Facts = {}): SignalOutput {
  const facts = {
    ...recordingFacts(episode.facts),
    ...motionFacts(episode),
    ...manoeuvreFacts(episode),
    ...more,
  };
  const told = Object.values(facts).filter(({ status }) => status === 'told').length;
  const filled = filledFraction(facts);
  return {
    artifact: { facts: factsJson(facts), schema: 'assay/metadata/v1' },
    counts: { facts: told },
    quality: filled === null ? null : significant(filled, 4),
    quality_reason: filled === null ? 'no fact applies' : null,
  };
}

const mostRuns = 500;

/** What a vehicle or an aircraft does, one thing after the other, with the limits by which it is told. */
function manoeuvreFacts(episode: LaneEpisode): Facts {
  const { kind } = episode.facts.kind;
  const none = (what: string) => inapplicable(`it is no ${what}`);
  const [phases, manoeuvres] = [flightPhases(episode), driveManoeuvres(episode)];
  return {
    flight_phases:
      kind !== 'aerial-flight'
        ? none('flight')
        : factOf(phases, phaseLimits, 'no stream tells position and velocity north, east and down'),
    manoeuvres:
      kind !== 'drive-log' ? none('drive') : factOf(manoeuvres, manoeuvreLimits, 'no stream tells its speed'),
  };
}

function factOf(runs: readonly Run<string>[] | null, limits: JsonObject, why: string): Fact {
  if (runs === null) return unknown(why);
  const lasting_s: Record<string, number> = {};
  for (const { label, from_s, to_s } of runs)
    lasting_s[label] = micro((lasting_s[label] ?? 0) + to_s - from_s);
  const sorted = Object.fromEntries(Object.entries(lasting_s).sort(([a], [b]) => (a < b ? -1 : 1)));
  return told({
    lasting_s: sorted,
    limits,
    runs: runs
      .slice(0, mostRuns)
      .map(({ label, from_s, to_s }) => ({ from_s: micro(from_s), to_s: micro(to_s), what: label })),
    runs_in_all: runs.length,
  });
}

/** What the pictures show as a whole, camera by camera. */
async function pictureFacts(
  { facts: { streams, kind } }: LaneEpisode,
  context: Pick<LaneContext, 'frames' | 'progress' | 'signal'>,
): Promise<Facts> {
  if (!streams.some(({ role }) => role === 'camera')) return allOf(inapplicable('it holds no pictures'));
  const cameras = new Map<string, CameraLook>();
  for await (const batch of context.frames()) {
    context.signal.throwIfAborted();
    context.progress();
    const own = cameras.get(batch.camera) ?? new CameraLook();
    cameras.set(batch.camera, own);
    own.add(batch);
  }
  const seen = [...cameras].filter(([, look]) => look.frames > 0);
  const reason = [...cameras.values()].find(({ unreadable }) => unreadable !== null)?.unreadable;
  if (seen.length === 0)
    return allOf(unknown(`no picture can be looked at: ${reason ?? 'no camera gave a frame'}`));
  const each = (of: (look: CameraLook) => JsonObject | null, none: string): Fact => {
    const found = seen.flatMap(([stream, look]) => {
      const value = of(look);
      return value === null ? [] : [{ ...value, stream }];
    });
    return found.length > 0 ? told(found) : unknown(none);
  };
  const isStill = kind.kind === 'vision-asset';
  const never = inapplicable('a still picture has no motion');
  return {
    blur: each((look) => look.blur(), noPair),
    brightness: each((look) => look.brightness(), noPair),
    camera_motion: isStill ? never : each((look) => look.motion(), noPair),
    clutter: each((look) => look.clutter(), noPair),
    scene_cuts: isStill ? never : each((look) => look.cuts(), noPair),
  };
}

const noPair = 'no two frames that can be compared';

const allOf = (fact: Fact): Facts => ({
  blur: fact,
  brightness: fact,
  camera_motion: fact,
  clutter: fact,
  scene_cuts: fact,
});

const groups = ['action', 'odometry', 'state'] as const satisfies readonly StreamRole[];

/** What the numbers say of how it moves. */
function motionFacts(episode: LaneEpisode): Facts {
  const motion = episodeMotion(episode);
  const grouped = groups.map((role) => [`motion_${role}`, groupFact(role, episode.streams, motion)]);
  return {
    ...Object.fromEntries(grouped),
    ...gripperFacts(episode, motion.grippers()),
    ...restFacts(episode.streams, motion.main()),
  };
}

const hasNumbers = ({ modality }: Stream) => modality === 'numeric';

function groupFact(role: StreamRole, streams: readonly Stream[], { of }: EpisodeMotion): Fact {
  if (!streams.some((stream) => stream.role === role && hasNumbers(stream)))
    return inapplicable(`it has no ${role} stream`);
  const motion = of(role);
  if (motion === null) return unknown(`no ${role} stream with a clock tells how anything moves`);
  const observed_s = observedTime(motion);
  return observed_s > 0 ? told(extentAndEnergy(motion, observed_s)) : unknown(noTime);
}

const noTime = 'fewer than two rows with numbers and different stamps';

/**
 * Extent and energy of a motion, without unit: a span is a dimension's range from the 1st to the 99th percentile; of a
 * stream of velocities (`nature` is `rate`), the 98th percentile of its size.
 * - `path_spans`: how often a dimension crosses its own span, on average over those that move; null for velocities.
 * - `mean_square_speed`: mean over time of the squared length of the velocity vector, in (spans / s)²; for velocities,
 *   in spans².
 * - `typical_speed`: the 90th percentile of that length.
 * - `widest`: the largest span in the stream's own unit, of the dimensions whose unit is known; null: of none.
 */
function extentAndEnergy({ bins, moving, source, speed, typical }: Motion, observed_s: number): JsonObject {
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
    typical_speed: significant(typical),
    widest: widestOf(moving),
  };
}

const noUnit: readonly string[] = ['unknown', 'mixed', 'normalised'];

/** The widest dimension among those whose unit is known; null where none is. */
function widestOf(moving: Motion['moving']): JsonObject | null {
  let widest: JsonObject | null = null;
  let most = 0;
  for (const { column, own_span } of moving) {
    const { stream, dimension } = column;
    const { evidence, unit } = stream.unit;
    if (evidence === 'unknown' || noUnit.includes(unit) || own_span <= most) continue;
    most = own_span;
    const name = stream.names?.[dimension] ?? null;
    widest = { dimension, name, span: significant(own_span), stream: stream.id, unit };
  }
  return widest;
}

/** Changes of each gripper; a cycle is one closing and one opening, counted where it is known which is which. */
function gripperFacts({ facts }: LaneEpisode, tracks: readonly GripperTrack[]): Facts {
  if (tracks.length === 0) {
    const reason = facts.grippers.length > 0 ? unknown(`${facts.grippers[0].stream} has no clock`) : null;
    const none = reason ?? inapplicable('no stream names a gripper');
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
  const known = counted.filter(({ open_value }) => open_value !== null);
  return {
    gripper_changes: told(counted.map(({ changes }) => changes)),
    gripper_cycles:
      known.length > 0
        ? told(known.map(({ cycles }) => cycles))
        : unknown('nobody knows which of its values means open'),
  };
}

/** How much of the time it moves, and how long it stands still before it starts and after it is done. */
function restFacts(streams: readonly Stream[], motion: Motion | null): Facts {
  const observed_s = motion === null ? 0 : observedTime(motion);
  if (motion === null || !(observed_s > 0)) {
    const moves = streams.some(
      ({ role, series }) => series !== undefined && (role === 'state' || role === 'action'),
    );
    const none =
      motion !== null
        ? unknown(noTime)
        : moves
          ? unknown('its steps have no time')
          : inapplicable('no stream tells how anything moves');
    return { idle_end_s: none, idle_start_s: none, moving_fraction: none };
  }
  const {
    bins: { count, from_s, to_s },
    still,
  } = motion;
  const lasts = ([from, to]: readonly [number, number]) => to_s[to - 1] - from_s[from];
  const rested_s = still.reduce((sum, span) => sum + lasts(span), 0);
  const first = still.find(([from]) => from === 0);
  const last = still.find(([, to]) => to === count);
  return {
    idle_end_s: told(last === undefined ? 0 : significant(lasts(last))),
    idle_start_s: told(first === undefined ? 0 : significant(lasts(first))),
    moving_fraction: told(significant(Math.max(0, 1 - rested_s / observed_s), 4)),
  };
}
