import { clamp } from '#core';
import type { Stream, StreamRole } from '#core/episode';
import type { LaneEpisode } from '../lane.ts';
import { type Bins, computeBins } from './bins.ts';
import { type Grippers, type GripperTrack, gripperTracks } from './gripper-events.ts';
import { type MotionSource, rolesByPriority, selectSource } from './motion-source.ts';
import { quantiles } from './quantile.ts';
import { type DimensionSpan, dimensionSpans, type MovingColumn, movingColumns } from './velocity.ts';

/** Motion of an episode; each part is computed on first use. */
export interface EpisodeMotion {
  /** Motion by the most informative role; `null` if no stream shows motion. */
  main(): Motion | null;
  /** Motion by the streams of one role; `null` if they show none. */
  ofRole(role: StreamRole): Motion | null;
  grippers(): readonly GripperTrack[];
}

/** Cache by stream list: all lanes of an episode share the result, and it is freed with the streams. */
const motionCache = new WeakMap<readonly Stream[], { grippers: Grippers; motion: EpisodeMotion }>();

/** Measures the motion of an episode, and caches it by its streams. */
export function episodeMotion(episode: LaneEpisode): EpisodeMotion {
  const { facts, streams } = episode;
  const cached = motionCache.get(streams);
  if (cached !== undefined && cached.grippers === facts.grippers) return cached.motion;
  const motion = createMotion(episode);
  motionCache.set(streams, { grippers: facts.grippers, motion });
  return motion;
}

function createMotion({ facts, streams }: LaneEpisode): EpisodeMotion {
  const byRole = new Map<StreamRole, Motion | null>();
  let tracks: readonly GripperTrack[] | null = null;
  const ofRole = (role: StreamRole): Motion | null => {
    let motion = byRole.get(role);
    if (motion === undefined) {
      const source = selectSource(role, streams, facts.grippers);
      motion = source === null ? null : measureMotion(source);
      byRole.set(role, motion);
    }
    return motion;
  };
  return {
    ofRole,
    main: () => {
      for (const role of rolesByPriority(facts.kind.kind)) {
        const motion = ofRole(role);
        if (motion !== null) return motion;
      }
      return null;
    },
    grippers: () => {
      tracks ??= gripperTracks(streams, facts.grippers);
      return tracks;
    },
  };
}

/** Motion per bin, normalised by each dimension's range, so without unit. */
export interface Motion {
  readonly source: MotionSource;
  readonly bins: Bins;
  readonly moving: readonly MovingColumn[];
  /** Norm of the velocity vector per bin, in spans per second. */
  readonly speed: Float64Array;
  /** 90th percentile of the speed; 0 if nothing moves. */
  readonly typical_speed: number;
  /** Speed below which it is at rest. */
  readonly rest_speed: number;
  /** Bins `from..to` (exclusive) in which it is at rest. */
  readonly rests: readonly (readonly [from: number, to: number])[];
}

/**
 * Bounds of the rest speed as fractions of the typical speed. It is 1.5 times the noise speed within these bounds;
 * the maximum matters at low rates, at which motion itself looks like noise.
 */
const restBounds = { min: 0.06, max: 0.25 };
const restNoiseFactor = 1.5;
/** Slope windows, tried in order until the noise is low enough. */
const slopeWindows_s = [0.1, 0.2, 0.3];
/**
 * Hysteresis: motion resumes above this multiple of the rest speed, so that a hesitation is not split into many
 * rests.
 */
const wakeFactor = 1.6;
/** Minimum duration of a rest; shorter ones are reversals of direction. */
const minRest_s = 0.15;

/** Measures the motion of a source: bins, velocities, speed, typical speed and rests. */
export function measureMotion(source: MotionSource): Motion {
  const bins = computeBins(source);
  const spans = dimensionSpans(bins);
  let measurement = measureAt(bins, spans, slopeWindows_s[0]);
  for (const slope_s of slopeWindows_s.slice(1)) {
    if (restNoiseFactor * measurement.noise <= restBounds.min * measurement.typical_speed) break;
    measurement = measureAt(bins, spans, slope_s);
  }
  const { moving, noise, speed, typical_speed } = measurement;
  const rest_speed = clamp(
    restNoiseFactor * noise,
    restBounds.min * typical_speed,
    restBounds.max * typical_speed,
  );
  return {
    source,
    bins,
    moving,
    speed,
    typical_speed,
    rest_speed,
    rests: findRests(bins, speed, rest_speed),
  };
}

function measureAt(bins: Bins, spans: readonly DimensionSpan[], slope_s: number) {
  const moving = movingColumns(bins, spans, slope_s);
  const speed = new Float64Array(bins.count);
  let noise = 0;
  for (const { velocity, noise: own } of moving) {
    for (let b = 0; b < speed.length; b++) speed[b] += velocity[b] * velocity[b];
    noise += own * own;
  }
  for (let b = 0; b < speed.length; b++) speed[b] = Math.sqrt(speed[b]);
  const [typical_speed] = quantiles(speed, [0, speed.length], [0.9]);
  return { moving, noise: Math.sqrt(noise), speed, typical_speed };
}

function findRests(
  { ranges, from_s, to_s }: Bins,
  speed: Float64Array,
  rest_speed: number,
): [number, number][] {
  const spans: [number, number][] = [];
  const addRest = (from: number, to: number) => {
    if (from < to && to_s[to - 1] - from_s[from] >= minRest_s) spans.push([from, to]);
  };
  for (const [from, to] of ranges) {
    let since = -1;
    let calm = from;
    for (let b = from; b < to; b++) {
      if (speed[b] <= rest_speed) {
        if (since < 0) since = b;
        calm = b + 1;
      } else if (since >= 0 && speed[b] > wakeFactor * rest_speed) {
        addRest(since, calm);
        since = -1;
      }
    }
    if (since >= 0) addRest(since, calm);
  }
  return spans;
}

/** Returns the observed time in seconds, without gaps; 0 if no two rows have different timestamps. */
export function observedTime({ bins: { from_s, rows, ranges, to_s } }: Motion): number {
  if (!(rows.step_s > 0)) return 0;
  return ranges.reduce((sum, [from, to]) => sum + to_s[to - 1] - from_s[from], 0);
}
