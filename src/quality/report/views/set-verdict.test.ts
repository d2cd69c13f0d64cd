import { describe, expect, it } from 'vitest';
import { type DescribedVerdict, describeSetVerdict } from './set-verdict.ts';

const reason = (
  code: string,
  effect: DescribedVerdict['reasons'][number]['effect'],
  episodes: number | null,
  remedy: DescribedVerdict['reasons'][number]['remedy'],
) => ({ code, effect, episodes, remedy });

describe('the verdict on a dataset in one line', () => {
  it.each<[string, DescribedVerdict, string | null]>([
    [
      'Usable: 12 of 12 episodes, loads in LeRobot v3.0',
      { verdict: 'usable', usable_episodes: 12, reasons: [] },
      'LeRobot v3.0',
    ],
    [
      'Usable after fix: 12 of 12 episodes, after running assay fix. LeRobot v2.1 cannot open the dataset: Camera without files',
      {
        verdict: 'usable_after_fix',
        usable_episodes: 12,
        reasons: [reason('camera_without_files', 'refuses_set', null, 'fix')],
      },
      'LeRobot v2.1',
    ],
    [
      'Usable after fix: 9 of 12 episodes, after leaving out the others with assay export. Rejected: Frozen camera (3 episodes)',
      {
        verdict: 'usable_after_fix',
        usable_episodes: 9,
        reasons: [reason('camera_frozen', 'rejected', 3, 'export')],
      },
      null,
    ],
    ['Not usable: no episode can be read', { verdict: 'not_usable', usable_episodes: 0, reasons: [] }, null],
  ])('%s', (text, verdict, loader) => {
    expect(describeSetVerdict(verdict, { all: 12, to_review: 0 }, loader)).toBe(text);
  });

  it('counts episodes to review as usable, and says so', () => {
    const counts = { all: 12, to_review: 2 };
    const usable: DescribedVerdict = { verdict: 'usable', usable_episodes: 12, reasons: [] };
    expect(describeSetVerdict(usable, counts, 'LeRobot v3.0')).toBe(
      'Usable: 12 of 12 episodes (2 to review), loads in LeRobot v3.0',
    );
    const fixable: DescribedVerdict = {
      verdict: 'usable_after_fix',
      usable_episodes: 9,
      reasons: [reason('camera_frozen', 'rejected', 3, 'export')],
    };
    expect(describeSetVerdict(fixable, counts, null)).toBe(
      'Usable after fix: 9 of 12 episodes (2 to review), after leaving out the others with assay export. Rejected: Frozen camera (3 episodes)',
    );
  });
});
