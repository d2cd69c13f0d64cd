import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSet, type SetShape, writeSet } from '#test/support/lerobot-set';

const read = async (shape: SetShape) => readSet(await writeSet({ layout: 'v2', ...shape }));

describe('a LeRobot v2 set', () => {
  it('is read file by file, in order, without a finding', async () => {
    const { dataset, episodes } = await read({ episodes: 70, rows: 5, cameras: ['observation.images.top'] });
    expect(dataset.findings).toEqual([]);
    expect(dataset.units.map((unit) => unit.expected_episodes)).toEqual([64, 6]);
    expect(episodes.map((episode) => episode.index)).toEqual(Array.from({ length: 70 }, (_, index) => index));
    expect(episodes[69].streams[0].series?.values[1]).toBe(69);
    expect(episodes[69].findings).toEqual([]);
    const camera = episodes[69].streams.find((stream) => stream.role === 'camera');
    expect(camera?.frames?.locator).toMatchObject({
      path: 'videos/chunk-000/observation.images.top/episode_000069.mp4',
      from_s: 0,
      to_s: null,
    });
  });

  it('accepts CRLF, blank lines and a broken line in its tables', async () => {
    const lines = [
      '{"episode_index": 0, "tasks": ["pick the cube"], "length": 20}\r',
      '\r',
      '{"episode_index": 1, "tasks": [',
      '{"episode_index": 2, "tasks": [], "length": 20}\r',
      '',
    ];
    const { dataset, finding, episodes } = await read({
      extra: { 'meta/episodes.jsonl': lines.join('\n') },
    });
    const refused = dataset.findings
      .filter(({ code }) => code === 'json_refused')
      .map(({ message }) => message);
    expect(refused).toEqual([
      expect.stringContaining('a blank line'),
      expect.stringContaining('invalid JSON in meta/episodes.jsonl, line 3'),
    ]);
    expect(finding('episode_unlisted')?.message).toContain('1');
    expect(episodes).toHaveLength(3);
    expect(episodes[0].tasks?.[0].text).toBe('pick the cube');
  });

  it('finds files that the path template does not lead to', async () => {
    const { finding, episodes } = await read({
      info: (info) => ({
        ...info,
        data_path: 'data/chunk-{episode_index:03d}/episode_{episode_index:06d}.parquet',
      }),
    });
    expect(finding('path_template_wrong')?.message).toContain('2 existing files');
    expect(episodes).toHaveLength(3);
  });

  it('reads files whose columns differ, and says which', async () => {
    const { episodes, unreadable } = await read({
      data: (rows, file) =>
        file === 1
          ? `SELECT * EXCLUDE action REPLACE ("observation.state"::DOUBLE[] AS "observation.state") FROM (${rows})`
          : rows,
    });
    expect(unreadable).toEqual([]);
    expect(episodes.map((episode) => episode.findings.map((finding) => finding.code))).toEqual([
      [],
      ['columns_differ'],
      [],
    ]);
    expect(episodes[1].streams[0].series?.values).toBeInstanceOf(Float64Array);
    expect(episodes[2].streams[0].series?.values).toBeInstanceOf(Float32Array);
  });

  it('goes on past a missing, an empty and a damaged file', async () => {
    const folder = await writeSet({
      layout: 'v2',
      episodes: 6,
      extra: {
        'data/chunk-000/episode_000001.parquet': 'PAR1 nothing here PAR1',
        'data/chunk-000/episode_000003.parquet': '',
      },
      data: (rows, file) => (file === 4 ? `SELECT * FROM (${rows}) WHERE false` : rows),
    });
    await rm(join(folder, 'data/chunk-000/episode_000002.parquet'));
    const { episodes, unreadable } = await readSet(folder);
    expect(episodes.map((episode) => episode.index)).toEqual([0, 5]);
    expect(unreadable.map((row) => [row.index, row.finding.code]).sort()).toEqual([
      [1, 'data_file_unreadable'],
      [2, 'data_file_missing'],
      [3, 'data_file_unreadable'],
      [4, 'episode_without_rows'],
    ]);
  });

  it('has no outcome where no column says so', async () => {
    const { episodes } = await read({});
    expect(episodes[0].outcome.value).toBe('unknown');
  });
});
