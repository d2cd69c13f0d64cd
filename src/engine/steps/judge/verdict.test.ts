import { expect, it } from 'vitest';
import { type EpisodeVerdict, packVerdicts, unpackVerdicts } from './verdict.ts';

const plain: EpisodeVerdict = {
  dataset: 2,
  index: 7,
  id: 'episode_000007',
  kind: 'teleop',
  decision: 'accept',
  score: 0.1 + 0.2,
  graded_fraction: 0.8,
  duration_s: 1 / 3,
  findings: [],
  reason: 'score 1 is at least 0.8 and nothing blocks',
  flags: [],
  receipt: null,
};

const flagged: EpisodeVerdict = {
  ...plain,
  index: 2 ** 40,
  id: 'эпизод "1"\n',
  decision: 'reject',
  score: null,
  flags: [{ code: 'jump', check: 'kinematic_sanity', severity: 'blocking', message: 'leaps by 3 rad' }],
  findings: [
    { code: 'file_truncated', severity: 'error', message: 'the file ends early', advice: 'copy it again' },
  ],
  reason: null,
  receipt: 'receipts/000/эпизод.json',
};

it('verdicts come out as they went in, in their order', () => {
  const verdicts = [plain, flagged, { ...plain, score: 0 }, { ...plain, index: 8, duration_s: 0 }];
  const unpacked = unpackVerdicts(structuredClone(packVerdicts(verdicts)));
  expect(unpacked).toEqual(verdicts);
  // Down to the order in which they are printed.
  expect(JSON.stringify(unpacked)).toBe(JSON.stringify(verdicts));
  expect(unpackVerdicts(packVerdicts([]))).toEqual([]);
});
