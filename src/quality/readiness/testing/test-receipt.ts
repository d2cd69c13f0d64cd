import type { ReadinessSettings } from '#core/api';
import type { Kind } from '#core/episode';
import type { ComparedNotes, Subject } from '../check.ts';
import { judgeEpisode } from '../judge-episode.ts';
import { measureEpisode } from '../measure-episode.ts';
import { recordOf, sealReceipt } from '../receipt.ts';
import { resolveSettings } from '../settings.ts';
import {
  numericStream,
  swingingArm,
  testCamera,
  testCameraStream,
  testEpisode,
  testSubject,
} from './test-subject.ts';

/** Measures, judges and seals a subject. For tests. */
export function sealedReceipt(subject: Subject, settings: ReadinessSettings = {}, notes: ComparedNotes = {}) {
  const record = recordOf(subject, ['as the test says']);
  const measured = JSON.parse(JSON.stringify(measureEpisode(subject)));
  return sealReceipt(judgeEpisode(record, measured, notes, resolveSettings(settings)));
}

/** A teleoperated episode with a camera that freezes and an arm with one NaN: it raises several flags. For tests. */
export function spoiledSubject(kind: Kind = 'teleop'): Subject {
  const [state, action] = swingingArm(7);
  state.series!.values[600] = Number.NaN;
  const gripper = numericStream('observation.gripper', 'state', 300, 1, (i) => (i > 100 && i < 200 ? 1 : 0));
  const streams = [state, action, gripper, testCameraStream('front', 300)];
  const frozen = { from_s: 2, to_s: 8, frames: 180 };
  const camera = testCamera(300, {}, [frozen]);
  const episode = testEpisode(3, streams, {
    grippers: [
      {
        stream: 'observation.gripper',
        dimension: 0,
        name: 'gripper',
        unit: 'normalised',
        range_observed: [0, 1],
        open_value: null,
        evidence: 'unknown',
        reason: 'nothing says which end is open',
      },
    ],
    tasks: [{ text: 'TODO é "quoted" \u20ac', source: 'meta/tasks.parquet' }],
  });
  return testSubject(episode, kind, new Map([['front', camera]]));
}
