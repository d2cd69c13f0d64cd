import { describe, expect, it } from 'vitest';
import { checkStampsAgainstGrid } from './stamp-findings.ts';

const fps = 30;
const rows = 90;

/** Stamps as LeRobot writes them: frame_index / fps in float32. */
function grid(at: (row: number) => number = (row) => row / fps): Float64Array {
  return Float64Array.from(Float32Array.from({ length: rows }, (_, row) => at(row)));
}

const codes = (stamps: Float64Array, layout: 'v2' | 'v3' = 'v2', hasVideo = true) =>
  checkStampsAgainstGrid(stamps, fps, layout, hasVideo, 'data.parquet').map(
    ({ code, severity }) => `${code} ${severity}`,
  );

describe('stamps against the grid of the library', () => {
  it('says nothing of stamps that are row / fps in float32', () => {
    const quarter = Float64Array.from(Float32Array.from({ length: 15 * 900 }, (_, row) => row / 15));
    expect(checkStampsAgainstGrid(quarter, 15, 'v2', true, 'x')).toEqual([]);
    expect(codes(grid())).toEqual([]);
  });

  it('names an hour in float32: its steps are coarser than the tolerance, and the library refuses it', () => {
    const hour = Float64Array.from(Float32Array.from({ length: 15 * 3600 }, (_, row) => row / 15));
    expect(checkStampsAgainstGrid(hour, 15, 'v2', true, 'x')).toMatchObject([
      { code: 'timestamps_off_grid' },
    ]);
  });

  it.each([
    [
      'jitter of milliseconds',
      (row: number) => row / fps + (row % 3) * 0.002,
      'timestamps_off_grid blocking',
    ],
    [
      '0.3 ms at one row',
      (row: number) => row / fps + (row === 7 ? 0.0003 : 0),
      'timestamps_off_grid blocking',
    ],
    ['a clock that was not reset', (row: number) => 0.5 + row / fps, 'timestamps_start_late blocking'],
    ['seconds since boot', (row: number) => 86_400 + row / fps, 'timestamps_host_clock blocking'],
    ['lost rows', (row: number) => (row < 40 ? row : row + 5) / fps, 'timestamps_gap blocking'],
    ['a repeated stamp', (row: number) => (row < 40 ? row : row - 1) / fps, 'timestamps_repeated blocking'],
    [
      'swapped rows',
      (row: number) => (row === 40 ? 41 : row === 41 ? 40 : row) / fps,
      'timestamps_backwards blocking',
    ],
  ])('names %s', (_, at, expected) => {
    expect(codes(grid(at))).toContain(expected);
    expect(codes(grid(at), 'v3')).toContain(expected);
  });

  it('names the tolerance that would load jittered stamps', () => {
    const [finding] = checkStampsAgainstGrid(
      grid((row) => row / fps + (row === 7 ? 0.004 : 0)),
      fps,
      'v3',
      true,
      'x',
    );
    expect(finding.message).toContain('off by up to 4 ms; loading needs tolerance_s=0.0042');
  });

  it.each([25, 29.97])('leaves even stamps at %d Hz to what is said of the set', (rate) => {
    expect(codes(grid((row) => row / rate))).toEqual([]);
    expect(
      codes(
        grid((row) => row / rate),
        'v3',
      ),
    ).toEqual([]);
  });

  it('leaves version 3 without video to the timeline check: nothing is asked by stamp there', () => {
    expect(
      codes(
        grid((row) => 0.5 + row / fps),
        'v3',
        false,
      ),
    ).toEqual([]);
    expect(
      codes(
        grid((row) => 0.5 + row / fps),
        'v2',
        false,
      ),
    ).toEqual(['timestamps_start_late blocking']);
  });

  it('leaves stamps that are no numbers to the timeline check', () => {
    expect(codes(grid((row) => (row === 5 ? Number.NaN : row / fps)))).toEqual([]);
  });
});
