import type { ReadinessSettings } from '#core/api';
import type { Kind } from '#core/episode';
import type { ComparisonNotes, Subject } from './check.ts';
import { createEpisodeRecord, sealReceipt } from './receipt.ts';
import { judgeEpisode, measureEpisode } from './run-checks.ts';
import { resolveSettings } from './scoring.ts';
import {
  numericStream,
  swingingArm,
  testCamera,
  testCameraStream,
  testEpisode,
  testSubject,
} from './test-subject.ts';

/** Measures, evaluates and seals a subject. For tests. */
export function sealedReceipt(
  subject: Subject,
  settings: ReadinessSettings = {},
  notes: ComparisonNotes = {},
) {
  const record = createEpisodeRecord(subject, ['as the test says']);
  const measured = JSON.parse(JSON.stringify(measureEpisode(subject)));
  return sealReceipt(judgeEpisode(record, measured, notes, resolveSettings(settings)));
}

/**
 * Creates a teleoperated episode with a frozen camera and one NaN in the arm, which raises several flags. For
 * tests.
 */
export function flaggedSubject(kind: Kind = 'teleop'): Subject {
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
