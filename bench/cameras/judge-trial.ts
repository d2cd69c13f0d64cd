import type { CameraEvidence } from '#core/episode';
import { sealedReceipt } from '../../src/quality/readiness/test-receipt.ts';
import {
  numericStream,
  testCameraStream,
  testEpisode,
  testSubject,
} from '../../src/quality/readiness/test-subject.ts';
import { rate_hz } from './filmed-scene.ts';
import { type CameraFault, distance, frameCount, positionsOf, type Trial } from './trials.ts';

/** Verdict on a trial. `accused`: faults reported that were not planted. `text`: reported spans and flags. */
export interface Judged {
  readonly trial: Trial;
  readonly outcome: 'right' | 'missed' | 'accused' | 'misplaced';
  readonly text: string;
}

/** Freezes from this length on must be found; shorter ones may be. */
const minFreeze_s = 0.5;
/** Tolerance of the ends of a freeze in frames. */
const maxOff_frames = 2.01;
/** A movement below this many px before a freeze does not show, so that the freeze begins with the rest before it. */
const hidden_px = 0.7;

/** Judges a camera beside signals that move as its scene does. */
export function judgeTrial(trial: Trial, evidence: CameraEvidence): Judged {
  const position = positionsOf(trial);
  const at = (i: number, d: number) => position[2 * Math.min(i, frameCount - 1) + d];
  const state = numericStream('observation.state', 'state', frameCount, 2, at);
  const action = numericStream('action', 'action', frameCount, 2, (i, d) => at(i + 2, d));
  const streams = [state, action, testCameraStream('front', frameCount)];
  const episode = testEpisode(0, streams, { duration_s: frameCount / rate_hz });
  const { receipt } = sealedReceipt(testSubject(episode, 'teleop', new Map([['front', evidence]])));
  const flags = receipt.flags.filter(
    ({ check, severity }) => check === 'image_integrity' && severity !== 'info',
  );
  const frozen = flags
    .filter(({ code }) => code === 'camera_frozen' || code === 'camera_frozen_briefly')
    .flatMap(({ marks }) => marks.map(({ from_s, to_s }) => [from_s, to_s] as const));
  const others = flags.map(({ code }) => code).filter((code) => !code.startsWith('camera_frozen'));
  const spans = frozen.map(([from_s, to_s]) => `${from_s.toFixed(2)} to ${to_s.toFixed(2)} s`);
  const text = [...(spans.length > 0 ? [`frozen ${spans.join(', ')}`] : []), ...others].join('; ');
  return { trial, outcome: outcomeOf(trial.fault, position, frozen, others), text };
}

function outcomeOf(
  fault: CameraFault,
  position: Float64Array,
  frozen: readonly (readonly [from_s: number, to_s: number])[],
  others: readonly string[],
): Judged['outcome'] {
  if (fault.kind === 'none') return frozen.length + others.length > 0 ? 'accused' : 'right';
  if (fault.kind === 'repeats')
    return frozen.length > 0 ? 'accused' : others.includes('camera_frames_repeated') ? 'right' : 'missed';
  const { from, to } = fault;
  let visible = from;
  while (visible > 0 && distance(position, visible - 1, from) < hidden_px) visible--;
  const isPlaced = ([from_s, to_s]: readonly [number, number]) =>
    from_s * rate_hz >= visible - maxOff_frames &&
    from_s * rate_hz <= from + maxOff_frames &&
    Math.abs(to_s * rate_hz - to) <= maxOff_frames;
  if (frozen.length > 1 || !frozen.every(isPlaced)) return 'misplaced';
  if (others.length > 0) return 'accused';
  return frozen.length === 1 || !isLongEnough({ fault }) ? 'right' : 'missed';
}

/** False for a freeze that is too short to be asked for. */
export const isLongEnough = ({ fault }: Pick<Trial, 'fault'>): boolean =>
  fault.kind !== 'freeze' || fault.to - fault.from >= minFreeze_s * rate_hz;
