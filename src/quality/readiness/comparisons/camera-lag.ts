import { significant } from '#core';
import { comparedStreams } from '../comparing/compared-signals.ts';
import { medianOf } from '../comparing/robust.ts';
import { type ComparedRow, defineComparison } from '../comparison.ts';
import { pictureLags } from '../features/lag/picture-lag.ts';
import { ramp } from '../features/ramp.ts';

/** By camera: how well what moves in its pictures goes with what moves in the state, by `pictureLags`. */
export type CameraLagRow = {
  readonly lags: { readonly [camera: string]: readonly number[] };
};

const fewest = 6;
/**
 * Where the median of all episodes has no clear peak, the camera sees too little of the robot, or other things that move,
 * and what one episode shows may be chance. Set on the tuning half of the bench's seeds, as those below.
 */
const usual = { peak: 0.25, above: 0.1, away: 6 } as const;
/** What one episode must show; and by how much more than around the usual lag, from a first doubt to certainty. */
const told = { peak: 0.15, above: [0.06, 0.26], apart: 3, around: 1 } as const;

export const cameraLag = defineComparison<CameraLagRow>({
  id: 'camera_lag',
  title: 'Lagging cameras',
  about:
    'How much each coded frame changes (its bytes) is correlated by rank with the speed of the state at shifts up to 20 frames. Where the median over at least six episodes has a clear peak (0.25, and 0.1 above all that lies more than six frames off), an episode is told whose own peak (0.15 and more) lies at least three frames off and is higher by 0.16 than its correlation there.',
  judged_by: ['image_integrity'],
  raises: {
    check: 'image_integrity',
    flags: [
      {
        code: 'camera_lags',
        severity: 'warning',
        meaning: 'The camera runs behind the signals, or ahead of them, unlike in the other episodes.',
        advice:
          'Look for a buffer between camera and recorder, take the newest picture, and shift or leave out the episode.',
      },
    ],
    judge(note) {
      const frames = Number(note.frames);
      const way = frames > 0 ? 'behind' : 'ahead of';
      return [
        {
          flag: 'camera_lags',
          score: Math.max(0.3, ramp(Number(note.above), ...told.above)),
          observed: frames,
          message: () =>
            `${String(note.camera)}: pictures come ${Math.abs(frames)} frames ${way} where they come in the other episodes, by what moves in them and in the state`,
        },
      ];
    },
  },
  collect(subject) {
    const lags: Record<string, readonly number[]> = {};
    let signals: ReturnType<typeof comparedStreams> | null = null;
    for (const [camera, { coded }] of subject.cameras) {
      if (coded === null) continue;
      signals ??= comparedStreams(subject, 'state');
      const found = signals.length === 0 ? null : pictureLags(coded, signals);
      if (found !== null) lags[camera] = found.map((value) => significant(value, 3));
    }
    return Object.keys(lags).length === 0 ? null : { lags };
  },
  conclude(rows) {
    const notes = new Map<string, Note>();
    const cameras = new Set(rows.flatMap(({ row }) => Object.keys(row.lags)));
    for (const camera of cameras) addNotes(camera, rows, notes);
    return { findings: [], notes };
  },
});

type Note = { readonly camera: string; readonly frames: number; readonly above: number };

function addNotes(
  camera: string,
  rows: readonly ComparedRow<CameraLagRow>[],
  notes: Map<string, Note>,
): void {
  const own = rows.filter(({ row }) => row.lags[camera] !== undefined);
  const lag = own.length < fewest ? null : usualLag(own.map(({ row }) => row.lags[camera]));
  if (lag === null) return;
  for (const { episode, row } of own) {
    const off = framesOff(row.lags[camera], lag);
    if (off !== null) notes.set(episode, { camera, ...off });
  }
}

/** Place of the peak of the medians; null where there is no clear one. */
function usualLag(all: readonly (readonly number[])[]): number | null {
  const middle = all[0].map((_, k) => medianOf(all.map((lags) => lags[k])));
  const best = highest(middle);
  const off = Math.max(...middle.filter((_, k) => Math.abs(k - best) >= usual.away));
  return middle[best] >= usual.peak && middle[best] - off >= usual.above ? best : null;
}

/** Null: nothing speaks for another lag than the usual one. At the edge it may as well be the flank of a peak beyond. */
function framesOff(lags: readonly number[], usualPlace: number): Omit<Note, 'camera'> | null {
  const best = highest(lags);
  if (Math.abs(best - usualPlace) < told.apart || lags[best] < told.peak) return null;
  if (best < 2 || best > lags.length - 3) return null;
  const there = Math.max(...lags.slice(Math.max(0, usualPlace - told.around), usualPlace + told.around + 1));
  const above = significant(lags[best] - there, 3);
  return above > told.above[0] ? { above, frames: best - usualPlace } : null;
}

function highest(values: readonly number[]): number {
  let best = 0;
  for (let k = 1; k < values.length; k++) if (values[k] > values[best]) best = k;
  return best;
}
