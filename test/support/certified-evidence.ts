import type { Receipt } from '#core/api';
import type { Stream } from '#core/episode';
import type { AnnotationEvidence, EpisodeEvidence, LoadEvidence } from '#quality/certification';
import { sealedReceipt } from '../../src/quality/readiness/test-receipt.ts';
import {
  swingingArm,
  testCamera,
  testCameraStream,
  testEpisode,
  testSubject,
} from '../../src/quality/readiness/test-subject.ts';

const rows = 300;

/** What may be wrong with a generated episode. */
export interface Faults {
  readonly nan?: boolean;
  readonly frozenCamera?: boolean;
  readonly blurred?: boolean;
  readonly backwards?: boolean;
  readonly noText?: boolean;
  readonly noCamera?: boolean;
}

/** A teleoperated episode's receipt, as measuring and judging seal it. */
export function generatedReceipt(index: number, faults: Faults = {}): Receipt {
  const [state, action] = swingingArm(index, rows).map((stream) =>
    recorded(stream, faults.backwards === true),
  );
  if (faults.nan === true) state.series!.values[600] = Number.NaN;
  const runs = faults.frozenCamera === true ? [{ from_s: 2, to_s: 8, frames: 180 }] : [];
  const look = faults.blurred === true ? { sharpness: () => 1 } : {};
  const video = `videos/episode_${index}.mp4`;
  const camera = faults.noCamera === true ? [] : [testCameraStream('front', rows, 30, video)];
  const data = {
    path: `data/episode_${index}.mcap`,
    bytes: 1000,
    sha256: digest(index),
    role: 'data',
  } as const;
  const episode = testEpisode(index, [state, action, ...camera], {
    locator: { format: 'mcap', path: data.path },
    sources:
      camera.length === 0
        ? [data]
        : [data, { ...data, path: video, role: 'video' as const, sha256: digest(index + 5000) }],
    tasks: faults.noText === true ? null : [{ text: 'put the red cube into the box', source: 'metadata' }],
  });
  const cameras = new Map(camera.map(({ id }) => [id, testCamera(rows, look, runs)]));
  return sealedReceipt(testSubject(episode, 'teleop', cameras)).receipt;
}

const digest = (n: number): string => n.toString(16).padStart(64, '0');

/** With stamps that somebody recorded, every one at a place of its own. */
function recorded(stream: Stream, backwards: boolean): Stream {
  const time_s = Float64Array.from({ length: rows }, (_, i) => i / 30 + (i % 3) * 1e-3);
  if (backwards) time_s[100] = 2;
  return { ...stream, clocks: [{ name: 'log', provenance: 'log', time_s }] };
}

export const loads: LoadEvidence = { reader: 'a reader', loads: 'yes', why: [] };

/** Captions over all of an episode of ten seconds, judged as told. */
export function captioned(judged: 'match' | 'mismatch' = 'match'): AnnotationEvidence {
  const windows = [0, 5].map((from_s) => ({ from_s, to_s: from_s + 5, text: 'reaches for the red cube' }));
  return {
    captions: windows,
    captions_reason: null,
    agreement: {
      model: 'a model',
      windows: windows.map((window) => ({ ...window, judged, note: 'the cube is seen' })),
    },
    layers: { wanted: ['captions'], produced: ['captions'] },
  };
}

export function generatedEvidence(index: number, faults: Faults = {}): EpisodeEvidence {
  return { receipt: generatedReceipt(index, faults), loads, annotations: captioned() };
}

/** Ways in which what is known of an episode gets less. */
export const removals: Readonly<Record<string, (evidence: EpisodeEvidence) => EpisodeEvidence>> = {
  loads: (evidence) => ({ ...evidence, loads: null }),
  annotations: (evidence) => ({ ...evidence, annotations: null }),
  facts: (evidence) => ({ ...evidence, receipt: { ...evidence.receipt, facts: undefined } }),
  ...Object.fromEntries(
    [
      'signal_sync',
      'kinematic_sanity',
      'action_state_agreement',
      'gripper_consistency',
      'language_presence',
      'camera_coverage',
      'image_integrity',
      'annotation_coverage',
      'episode_length',
    ].map((id) => [id, (evidence: EpisodeEvidence) => withoutCheck(evidence, id)]),
  ),
};

function withoutCheck(evidence: EpisodeEvidence, id: string): EpisodeEvidence {
  const checks = evidence.receipt.checks.map((check) =>
    check.id === id
      ? {
          id,
          threshold: check.threshold,
          weight: check.weight,
          status: 'not_assessable' as const,
          reason: 'taken away',
        }
      : check,
  );
  return { ...evidence, receipt: { ...evidence.receipt, checks } };
}
