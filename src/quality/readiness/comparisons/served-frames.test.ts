import { describe, expect, it } from 'vitest';
import type { DeclaredDatasetFacts } from '../comparison.ts';
import { servedFrames } from './served-frames.ts';

const facts: DeclaredDatasetFacts = { declared_rate_hz: 30, declared_cameras: [] };

/** Creates episodes of 100 rows, one after the other in one file, with further facts for each. */
function conclude(count: number, more: (i: number) => Record<string, string | number>) {
  const rows = Array.from({ length: count }, (_, i) => ({
    episode: `episode_${i}`,
    row: {
      windows: [
        {
          ...{ camera: 'top', path: 'videos/top/file-000.mp4', from_s: (100 * i) / 30, claimed: 100 },
          ...{ file_frames: 100 * count, rows: 100, rate_hz: 30, tolerance_s: 1e-4 },
          ...{ off: 0, worst_off_s: 0, start_off_s: 0, cause: '' },
          ...{ shift: null, lag: null, products: [] },
          ...more(i),
        },
      ],
    },
  }));
  return servedFrames.conclude(rows, facts).findings;
}

describe('frames that loaders find, over a dataset', () => {
  it('give no finding for a valid file', () => {
    expect(conclude(5, () => ({}))).toEqual([]);
  });

  it('name a file with fewer frames than its episodes claim, and the first episode', () => {
    expect(conclude(5, () => ({ file_frames: 497 }))).toMatchObject([
      {
        code: 'video_file_lacks_frames',
        severity: 'blocking',
        path: 'videos/top/file-000.mp4',
        evidence: { lacking: 3, first_episode: 'episode_0' },
      },
    ]);
  });

  it('give no finding for a file whose windows are declared short', () => {
    expect(conclude(5, (i) => ({ file_frames: 497, claimed: i === 2 ? 97 : 100 }))).toEqual([]);
  });

  it('name a drift of windows with its worst and its first episode', () => {
    const late = (i: number) => ({
      start_off_s: i * 6e-5,
      ...(i < 2 ? {} : { off: 100, worst_off_s: i * 6e-5, cause: 'window' }),
    });
    expect(conclude(8, late)).toMatchObject([
      {
        code: 'video_window_drift',
        evidence: { episodes: 6, first_episode: 'episode_2', worst_s: 4.2e-4 },
      },
    ]);
  });

  it('do not call single windows off the grid a drift', () => {
    expect(
      conclude(8, (i) =>
        i % 3 === 0 ? { off: 100, worst_off_s: 0.004, start_off_s: 0.004, cause: 'window' } : {},
      ),
    ).toEqual([]);
  });

  it('name stamps that most episodes share, and the tolerance that loads them', () => {
    const [finding, ...others] = conclude(4, () => ({ off: 66, worst_off_s: 3.334e-4, cause: 'stamps' }));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ code: 'video_stamps_off_grid', severity: 'blocking' });
    expect(finding.message).toContain('tolerance_s=0.0004');
  });
});
