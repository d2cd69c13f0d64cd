import { describe, expect, it } from 'vitest';
import { judgeWithCheck, numericStream, testEpisode } from '../test-subject.ts';
import { episodeLength } from './episode-length.ts';

const judge = (rows: number, duration_s: number) =>
  judgeWithCheck(
    episodeLength,
    testEpisode(0, [numericStream('s', 'state', rows, 2, (i) => i)], { duration_s }),
  );

describe('the length of an episode', () => {
  it('is fine from two seconds to minutes', () => {
    expect(judge(60, 2)).toMatchObject({ score: 1, flags: [] });
    expect(judge(9000, 300)).toMatchObject({ score: 1, flags: [] });
  });

  it('is too short below a second or eight samples, graded', () => {
    expect(judge(24, 0.8).flags).toEqual(['episode_too_short']);
    expect(judge(6, 6).flags).toEqual(['episode_too_short']);
    expect(judge(24, 0.8).score).toBeGreaterThan(judge(18, 0.6).score);
  });

  it('uses the singular for one sample', () => {
    expect(judge(1, 2).messages).toEqual(['the episode lasts 2 s; its longest stream has 1 sample']);
  });

  it('is too long beyond twenty minutes of teleoperation', () => {
    expect(judge(45_000, 1500).flags).toEqual(['episode_too_long']);
  });

  it('is empty without a sample, and not assessable without time', () => {
    expect(judge(0, 0).flags).toEqual(['episode_empty']);
    expect(judge(10, 0).status).toBe('not_assessable');
    expect(judge(10, Number.NaN).status).toBe('not_assessable');
  });
});
