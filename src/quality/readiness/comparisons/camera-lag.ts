import { significant } from '#core';
import { comparisonTitles } from '#core/titles';
import { type ComparisonRow, defineComparison } from '../comparison.ts';
import { computeMedian, ramp } from '../features/numeric.ts';
import { correlatePictures } from '../features/picture-lag.ts';
import { selectComparedStreams } from './shared/comparison-rows.ts';
import { countShiftAtEnd } from './shared/shifted-windows.ts';

/** Correlations of picture change with signal speed at all lags, by camera id; see `correlatePictures`. */
export type CameraLagRow = {
  readonly lags: { readonly [camera: string]: readonly number[] };
};

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

export const cameraLag = defineComparison<CameraLagRow>({
  id: 'camera_lag',
  title: comparisonTitles.camera_lag,
  about:
    'Rank correlation of the change in each encoded frame (its size in bytes) with the speed of the state, at lags of up to 20 frames. If the median over at least six episodes has a clear peak (0.25, and 0.1 above everything more than six frames away), an episode is flagged whose own peak (0.15 or more) is at least three frames away and exceeds its correlation at the usual lag by 0.16.',
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
      return [
        {
          flag: 'camera_lags',
          score: Math.max(0.3, ramp(Number(note.above), ...episodePeakLimits.above)),
          observed: frames,
          message: () =>
            `${String(note.camera)}: images are ${Math.abs(frames)} frames ${way} than in the other episodes, judging by the motion in the images and in the state`,
        },
      ];
    },
  },
  collect(subject) {
    const lags: Record<string, readonly number[]> = {};
    let signals: ReturnType<typeof selectComparedStreams> | null = null;
    for (const [camera, { coded }] of subject.cameras) {
      // In a file with lost frames the lag depends on the place; `served_frames` judges it.
      if (coded === null || (countShiftAtEnd(subject, camera) ?? 0) !== 0) continue;
      signals ??= selectComparedStreams(subject, 'state');
      const found = signals.length === 0 ? null : correlatePictures(coded, signals);
      if (found !== null) lags[camera] = found.map((value) => significant(value, 3));
    }
    return Object.keys(lags).length === 0 ? null : { lags };
  },
  conclude(rows) {
    const notes = new Map<string, Note>();
    const cameras = new Set(rows.flatMap(({ row }) => Object.keys(row.lags)));
    for (const camera of cameras) addCameraNotes(camera, rows, notes);
    return { findings: [], notes };
  },
});

type Note = { readonly camera: string; readonly frames: number; readonly above: number };

function addCameraNotes(
  camera: string,
  rows: readonly ComparisonRow<CameraLagRow>[],
  notes: Map<string, Note>,
): void {
  const cameraRows = rows.filter(({ row }) => row.lags[camera] !== undefined);
  const lag =
    cameraRows.length < minEpisodes ? null : findUsualLag(cameraRows.map(({ row }) => row.lags[camera]));
  if (lag === null) return;
  for (const { episode, row } of cameraRows) {
    const off = measureFramesOff(row.lags[camera], lag);
    if (off !== null) notes.set(episode, { camera, ...off });
  }
}

/** Returns the index of the peak of the medians; `null` if there is no clear one. */
function findUsualLag(all: readonly (readonly number[])[]): number | null {
  const middle = all[0].map((_, k) => computeMedian(all.map((lags) => lags[k])));
  const best = findHighestIndex(middle);
  const off = Math.max(...middle.filter((_, k) => Math.abs(k - best) >= usualPeakLimits.away));
  return middle[best] >= usualPeakLimits.peak && middle[best] - off >= usualPeakLimits.above ? best : null;
}

/**
 * Returns how many frames an episode's lag differs from the usual one, and by how much its correlation is
 * higher. `null` if there is no clear other peak; one at the edge may be the flank of a peak beyond.
 */
function measureFramesOff(lags: readonly number[], usualIndex: number): Omit<Note, 'camera'> | null {
  const best = findHighestIndex(lags);
  if (Math.abs(best - usualIndex) < episodePeakLimits.apart || lags[best] < episodePeakLimits.peak)
    return null;
  if (best < 2 || best > lags.length - 3) return null;
  const usualCorrelation = Math.max(
    ...lags.slice(
      Math.max(0, usualIndex - episodePeakLimits.around),
      usualIndex + episodePeakLimits.around + 1,
    ),
  );
  const above = significant(lags[best] - usualCorrelation, 3);
  return above > episodePeakLimits.above[0] ? { above, frames: best - usualIndex } : null;
}

function findHighestIndex(values: readonly number[]): number {
  let best = 0;
  for (let k = 1; k < values.length; k++) if (values[k] > values[best]) best = k;
  return best;
}
