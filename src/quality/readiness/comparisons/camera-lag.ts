import { significant } from '#core';
import { comparisonTitles } from '#core/titles';
import { type ComparisonRow, defineComparison } from '../comparison.ts';
import { computeMedian, ramp } from '../features/numeric.ts';
import { correlateCameras, correlatePictures } from '../features/picture-lag.ts';
import { selectComparedStreams } from './shared/comparison-rows.ts';
import { countShiftAtEnd } from './shared/shifted-windows.ts';

/** Correlations of picture change at all lags; see `correlatePictures` and `correlateCameras`. */
export type CameraLagRow = {
  /** With signal speed, by camera id. */
  readonly lags: { readonly [camera: string]: readonly number[] };
  /** Between two cameras; `undefined` in measurements of earlier versions. */
  readonly pairs?: readonly CameraPair[];
};

type CameraPair = { readonly one: string; readonly other: string; readonly lags: readonly number[] };

/** Number of cameras that are compared with each other. */
const maxPairedCameras = 4;
const minEpisodes = 6;
/**
 * Requirements on the peak of the median over all episodes; without a clear peak the camera sees too little
 * of the robot, or other moving things. Set on the tuning half of the bench's seeds, like those below.
 */
const usualPeakLimits = { peak: 0.25, above: 0.1, away: 6 } as const;
/**
 * Requirements on an episode's own peak: minimum correlation, excess over the correlation around the usual
 * lag (from suspicion to certainty), minimum distance in frames, and half-width of that neighbourhood.
 */
const episodePeakLimits = { peak: 0.15, above: [0.06, 0.26], apart: 3, around: 1 } as const;
/** The same of two cameras, which see the same motion and agree far better than pictures and signals do. */
const usualPairLimits = { peak: 0.5, above: 0.1, away: 6 } as const;
const episodePairLimits = { peak: 0.4, above: [0.05, 0.25], apart: 3, around: 1 } as const;

export const cameraLag = defineComparison<CameraLagRow>({
  id: 'camera_lag',
  title: comparisonTitles.camera_lag,
  about:
    'Rank correlation of the change in each encoded frame (its size in bytes) with the speed of the state, at lags of up to 20 frames. If the median over at least six episodes has a clear peak (0.25, and 0.1 above everything more than six frames away), an episode is flagged whose own peak (0.15 or more) is at least three frames away and exceeds its correlation at the usual lag by 0.16. Two cameras are also compared with each other, unless their frames are coded with B-frames: if their changes agree at a usual lag (median correlation 0.5 or more), an episode is flagged where they agree at another one, at least three frames away, with 0.4 or more and by 0.15 better than at the usual lag; the signals tell which of both is off.',
  judged_by: ['image_integrity'],
  raises: {
    check: 'image_integrity',
    flags: [
      {
        code: 'camera_lags',
        severity: 'warning',
        echo_of: 'camera_frozen',
        meaning: 'The camera lags or leads the signals differently than in the other episodes.',
        advice:
          'Check for a buffer between camera and recorder and always take the newest image; shift the frames of this episode or leave it out.',
      },
    ],
    judge(note) {
      const frames = Number(note.frames);
      const way = frames > 0 ? 'later' : 'earlier';
      const isPair = typeof note.beside === 'string';
      const { above } = isPair ? episodePairLimits : episodePeakLimits;
      const evidence = isPair ? `the images of ${note.beside}` : 'the state';
      return [
        {
          flag: 'camera_lags',
          score: Math.max(0.3, ramp(Number(note.above), above[0], above[1])),
          observed: frames,
          message: () =>
            `${String(note.camera)}: images are ${Math.abs(frames)} frames ${way} than in the other episodes, judging by the motion in the images and in ${evidence}`,
        },
      ];
    },
  },
  collect(subject) {
    // In a file with lost frames the lag depends on the place; `served_frames` judges it.
    const cameras = [...subject.cameras].flatMap(([camera, { coded }]) =>
      coded === null || (countShiftAtEnd(subject, camera) ?? 0) !== 0 ? [] : [{ camera, coded }],
    );
    if (cameras.length === 0) return null;
    const signals = selectComparedStreams(subject, 'state');
    const lags: Record<string, readonly number[]> = {};
    for (const { camera, coded } of signals.length === 0 ? [] : cameras) {
      const found = correlatePictures(coded, signals);
      if (found !== null) lags[camera] = round(found);
    }
    if (Object.keys(lags).length === 0) return null;
    const paired = cameras.slice(0, maxPairedCameras);
    const pairs = paired.flatMap((one, i) =>
      paired.slice(i + 1).flatMap((other) => {
        const found = correlateCameras(one.coded, other.coded);
        return found === null ? [] : [{ one: one.camera, other: other.camera, lags: round(found) }];
      }),
    );
    return { lags, pairs };
  },
  conclude(rows) {
    const notes = new Map<string, Note>();
    const cameras = new Set(rows.flatMap(({ row }) => Object.keys(row.lags)));
    const usual = new Map<string, number>();
    for (const camera of cameras) addCameraNotes(camera, rows, usual, notes);
    for (const pair of listPairs(rows)) addPairNotes(pair, usual, notes);
    return { findings: [], notes };
  },
});

const round = (lags: readonly number[]): number[] => lags.map((value) => significant(value, 3));

/** How far a camera is off, in frames, and by how much the correlation is higher there than at the usual lag. */
type Offset = { readonly frames: number; readonly above: number };

/** `beside`: the camera whose images show it; `null` if the signals do. */
type Note = Offset & { readonly camera: string; readonly beside: string | null };

/** Adds notes on episodes in which a camera lags behind the signals, and its usual lag (index). */
function addCameraNotes(
  camera: string,
  rows: readonly ComparisonRow<CameraLagRow>[],
  usual: Map<string, number>,
  notes: Map<string, Note>,
): void {
  const cameraRows = rows.filter(({ row }) => row.lags[camera] !== undefined);
  const all = cameraRows.map(({ row }) => row.lags[camera]);
  const lag = findUsualLag(all, usualPeakLimits);
  if (lag === null) return;
  usual.set(camera, lag);
  cameraRows.forEach(({ episode }, i) => {
    const off = measureFramesOff(all[i], lag, episodePeakLimits);
    if (off !== null) notes.set(episode, { camera, ...off, beside: null });
  });
}

/** Two cameras in the episodes that have both. */
interface PairInEpisodes {
  readonly one: string;
  readonly other: string;
  readonly episodes: {
    readonly episode: string;
    readonly row: CameraLagRow;
    readonly lags: readonly number[];
  }[];
}

function listPairs(rows: readonly ComparisonRow<CameraLagRow>[]): PairInEpisodes[] {
  const found = new Map<string, PairInEpisodes>();
  for (const { episode, row } of rows) {
    for (const { one, other, lags } of row.pairs ?? []) {
      const key = JSON.stringify([one, other]);
      const pair = found.get(key) ?? { one, other, episodes: [] };
      pair.episodes.push({ episode, row, lags });
      found.set(key, pair);
    }
  }
  return [...found.values()];
}

/**
 * Adds notes on episodes in which one of two cameras is off, if the signals tell which one, in place of notes by the
 * signals alone.
 */
function addPairNotes(
  { one, other, episodes }: PairInEpisodes,
  usual: ReadonlyMap<string, number>,
  notes: Map<string, Note>,
): void {
  const lag = findUsualLag(
    episodes.map(({ lags }) => lags),
    usualPairLimits,
  );
  if (lag === null) return;
  for (const { episode, row, lags } of episodes) {
    const off = measureFramesOff(lags, lag, episodePairLimits);
    if (off === null) continue;
    const gainOfOther = measureGain(row.lags[other], usual.get(other), off.frames);
    const gainOfOne = measureGain(row.lags[one], usual.get(one), -off.frames);
    if (gainOfOther === null && gainOfOne === null) continue;
    const isOther = (gainOfOther ?? 0) > (gainOfOne ?? 0);
    const [camera, beside] = isOther ? [other, one] : [one, other];
    notes.set(episode, { camera, beside, above: off.above, frames: isOther ? off.frames : -off.frames });
  }
}

/** Computes how much better pictures and signals agree `frames` from the usual lag; `null` if that is unknown. */
function measureGain(
  lags: readonly number[] | undefined,
  usualIndex: number | undefined,
  frames: number,
): number | null {
  if (lags === undefined || usualIndex === undefined) return null;
  const shifted = lags[usualIndex + frames];
  return shifted === undefined ? null : shifted - lags[usualIndex];
}

interface UsualLimits {
  readonly peak: number;
  readonly above: number;
  readonly away: number;
}

interface EpisodeLimits {
  readonly peak: number;
  readonly above: readonly [number, number];
  readonly apart: number;
  readonly around: number;
}

/** Returns the index of the peak of the medians; `null` if there is no clear one, or there are few episodes. */
function findUsualLag(all: readonly (readonly number[])[], limits: UsualLimits): number | null {
  if (all.length < minEpisodes) return null;
  const middle = all[0].map((_, k) => computeMedian(all.map((lags) => lags[k])));
  const best = findHighestIndex(middle);
  const off = Math.max(...middle.filter((_, k) => Math.abs(k - best) >= limits.away));
  return middle[best] >= limits.peak && middle[best] - off >= limits.above ? best : null;
}

/**
 * Returns how many frames an episode's lag differs from the usual one, and by how much its correlation is
 * higher. `null` if there is no clear other peak; one at the edge may be the flank of a peak beyond.
 */
function measureFramesOff(
  lags: readonly number[],
  usualIndex: number,
  { peak, above, apart, around }: EpisodeLimits,
): Offset | null {
  const best = findHighestIndex(lags);
  if (Math.abs(best - usualIndex) < apart || lags[best] < peak) return null;
  if (best < 2 || best > lags.length - 3) return null;
  const atUsual = Math.max(...lags.slice(Math.max(0, usualIndex - around), usualIndex + around + 1));
  const excess = significant(lags[best] - atUsual, 3);
  return excess > above[0] ? { above: excess, frames: best - usualIndex } : null;
}

function findHighestIndex(values: readonly number[]): number {
  let best = 0;
  for (let k = 1; k < values.length; k++) if (values[k] > values[best]) best = k;
  return best;
}
