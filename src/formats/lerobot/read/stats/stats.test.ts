import { rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSet, type SetShape, writeSet } from '#test/support/lerobot-set';

const read = async (shape: SetShape) => readSet(await writeSet(shape));
const camera = 'observation.images.top';

const entry = {
  min: [0, 0],
  max: [4.75, 2],
  mean: [2.375, 1],
  std: [1.44, 0.8],
  count: [60],
  q01: [0, 0],
  q99: [4.75, 2],
};
const state = {
  min: [0, 0, 0],
  max: [9.5, 2, 19],
  mean: [4.75, 1, 9.5],
  std: [2.88, 0.8, 5.77],
  q01: [0, 0, 0],
  q99: [9.5, 2, 19],
};

/** Findings of a set with these statistics, severity and code. */
async function said(statistics: Record<string, unknown>, shape: SetShape = {}): Promise<string[]> {
  const whole = JSON.stringify({ action: entry, 'observation.state': state, ...statistics });
  const { dataset } = await read({ ...shape, extra: { 'meta/stats.json': whole } });
  return dataset.findings
    .filter(({ path }) => path === 'meta/stats.json')
    .map(({ severity, code }) => `${severity} ${code}`);
}

describe('statistics of a v3 set', () => {
  it('that are sound have no finding', async () => {
    expect(await said({})).toEqual([]);
  });

  it.each([
    ['no action', { action: undefined }, ['error stats_incomplete']],
    ['an action without std', { action: { ...entry, std: undefined } }, ['error stats_incomplete']],
    ['std 0 where values move', { action: { ...entry, std: [0, 0.8] } }, ['error stats_std_zero']],
    ['NaN', { action: { ...entry, mean: [null, 1] } }, ['error stats_not_a_number']],
    [
      'quantiles exchanged',
      { action: { ...entry, q01: [4.75, 0], q99: [0, 2] } },
      ['error stats_quantiles_wrong'],
    ],
    ['a quantile beyond max', { action: { ...entry, q99: [4.8, 2] } }, ['error stats_quantiles_wrong']],
    ['equal quantiles', { action: { ...entry, q01: [1, 0], q99: [1, 2] } }, ['info stats_quantiles_equal']],
    [
      'no quantiles',
      { action: { ...entry, q01: undefined, q99: undefined } },
      ['info stats_quantiles_absent'],
    ],
    [
      'a joint that is never used',
      {
        action: { ...entry, min: [3, 0], max: [3, 2], mean: [3, 1], std: [0, 0.8], q01: [3, 0], q99: [3, 2] },
      },
      ['info stats_dimension_constant'],
    ],
  ])('say so of %s', async (_, statistics, expected) => {
    expect(await said(statistics)).toEqual(expected);
  });

  it('may lack cameras altogether, but not one of several', async () => {
    const cameras = { cameras: [camera, 'observation.images.wrist'] };
    const channels = (value: number) => [[[value]], [[value]], [[value]]];
    const pictures = { min: channels(0), max: channels(1), mean: channels(0.4), std: channels(0.2) };
    expect(await said({}, cameras)).toEqual(['info camera_stats_none']);
    expect(await said({ [camera]: pictures }, cameras)).toEqual(['error camera_stats_missing']);
    const both = { [camera]: pictures, 'observation.images.wrist': { ...pictures, max: channels(255) } };
    expect(await said(both, cameras)).toEqual(['warning picture_stats_scale']);
  });

  it('that are absent are an error, and with NaN literals no standard JSON', async () => {
    const folder = await writeSet();
    await rm(join(folder, 'meta/stats.json'));
    expect((await readSet(folder)).finding('stats_missing')?.severity).toBe('error');
    const { codes } = await read({ extra: { 'meta/stats.json': '{"action": {"min": [NaN], "max": [1]}}' } });
    expect(codes).toContain('nonstandard_json');
    expect(codes).toContain('stats_not_a_number');
  });
});

const line = (episode: number, action: object) =>
  `${JSON.stringify({ episode_index: episode, stats: { action } })}\n`;
const own = (episode: number, more: object = {}) =>
  line(episode, {
    min: [0, episode],
    max: [4.75, episode],
    mean: [2.375, episode],
    std: [1.4415702550061396, 0],
    count: [20],
    ...more,
  });

describe('statistics of episodes', () => {
  it('of v2.1 are held against the rows of each episode, and block', async () => {
    const lines = [own(0), own(1, { mean: [7.6, 1] }), own(2, { count: [32] })];
    const { episodes } = await read({ layout: 'v2', extra: { 'meta/episodes_stats.jsonl': lines.join('') } });
    expect(
      episodes.map(({ findings }) => findings.map(({ code, severity }) => `${severity} ${code}`)),
    ).toEqual([[], ['blocking episode_stats_stale'], ['blocking episode_stats_stale']]);
    expect(episodes[1].findings[0].message).toContain(
      'mean of action dimension 0 is 7.6, computed from the rows: 2.375',
    );
    expect(episodes[2].findings[0].message).toContain('is 32, but the episode has 20 rows');
  });

  it('of v2.1 that lack what is pooled keep the library from the set', async () => {
    const lines = [own(0), own(1, { count: undefined }), own(2)];
    const { episodes } = await read({ layout: 'v2', extra: { 'meta/episodes_stats.jsonl': lines.join('') } });
    expect(episodes[1].findings.map(({ code, severity }) => [severity, code])).toEqual([
      ['blocking', 'episode_stats_malformed'],
    ]);
  });

  it('of v2.1 are missing where a line is, and where the file is the set does not load', async () => {
    const some = await read({ layout: 'v2', extra: { 'meta/episodes_stats.jsonl': own(0) + own(2) } });
    expect(some.episodes[1].findings.map(({ code }) => code)).toEqual(['episode_stats_missing']);
    const folder = await writeSet({ layout: 'v2' });
    await rm(join(folder, 'meta/episodes_stats.jsonl'));
    expect((await readSet(folder)).finding('stats_missing')?.severity).toBe('blocking');
  });

  it('of v2.1 are not followed into a line that has no end', async () => {
    const folder = await writeSet({ layout: 'v2', extra: { 'meta/episodes_stats.jsonl': '{' } });
    await truncate(join(folder, 'meta/episodes_stats.jsonl'), 5e9);
    const { episodes, unreadable } = await readSet(folder);
    expect(unreadable).toEqual([]);
    expect(episodes.map(({ findings }) => findings)).toEqual([[], [], []]);
  });

  it('of v3 lie in the table of episodes, and are a warning', async () => {
    const column = (name: string, of: string) => `[${of}]::DOUBLE[] AS "stats/action/${name}"`;
    const stats = [
      column('min', '0, episode_index'),
      column('max', '4.75, episode_index'),
      column('mean', 'CASE episode_index WHEN 1 THEN 7.6 ELSE 2.375 END, episode_index'),
      column('std', '1.4415702550061396, 0'),
      '[20]::BIGINT[] AS "stats/action/count"',
    ].join(', ');
    const { episodes } = await read({ table: (table) => `SELECT *, ${stats} FROM (${table})` });
    expect(
      episodes.map(({ findings }) => findings.map(({ code, severity }) => `${severity} ${code}`)),
    ).toEqual([[], ['warning episode_stats_stale'], []]);
  });
});
