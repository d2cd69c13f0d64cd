import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/lerobot-set';
import {
  action,
  codesOf,
  findingOf,
  numbersOf,
  range,
  readBuffer,
  readFiles,
  state,
  streamOf,
  T,
} from '#test/support/replay-buffers';
import { type ArrayInput, type Files, replayFiles, writeFiles } from '#test/support/zarr-files';
import { discover } from '../discovery/discover.ts';

describe('what a buffer gets wrong', () => {
  it('a chunk that is not there reads as the fill value, and is counted', async () => {
    const files = replayFiles({ state: { ...state, fill: 7 }, action }, [4, T]);
    files.delete('data/state/1.0');
    const set = await readFiles(files);
    expect(findingOf(set, 'set_chunks_missing')).toMatchObject({
      evidence: { array: 'state', expected: 3, present: 2 },
    });
    expect(codesOf(set.episodes[0])).toEqual([]);
    expect(findingOf(set.episodes[1], 'chunks_missing')?.evidence).toEqual({
      array: 'state',
      missing: 1,
      of: 2,
    });
    expect(numbersOf(set.episodes[1], 'state')).toEqual([...new Array(12).fill(7), ...range(24, 30)]);
  });

  it('a chunk that does not decode costs its own rows', async () => {
    const zlib: ArrayInput = { ...state, compressor: { id: 'zlib' }, pack: (chunk) => deflateSync(chunk) };
    for (const spoiled of [
      Buffer.from('no zlib'),
      deflateSync(Buffer.alloc(1e6)),
      deflateSync(Buffer.alloc(3)),
      Buffer.alloc(0),
    ]) {
      const files = replayFiles({ state: zlib }, [4, T]);
      files.set('data/state/2.0', spoiled);
      const [first, second] = (await readFiles(files)).episodes;
      expect(codesOf(first)).toEqual([]);
      expect(findingOf(second, 'chunk_damaged')?.evidence).toEqual({
        array: 'state',
        chunks: ['data/state/2.0'],
      });
      expect(numbersOf(second, 'state').slice(0, 12)).toEqual(range(12, 24));
      expect(numbersOf(second, 'state').slice(12).every(Number.isNaN)).toBe(true);
    }
  });

  it.each<[string, number[], string[], number[][]]>([
    [
      'do not grow',
      [4, 4, T],
      ['episode_ends_not_increasing'],
      [
        [0, 4],
        [4, 10],
      ],
    ],
    [
      'run backwards',
      [6, 4, T],
      ['episode_ends_not_increasing'],
      [
        [0, 6],
        [4, 10],
      ],
    ],
    [
      'end early',
      [4, 8],
      ['episode_ends_mismatch'],
      [
        [0, 4],
        [4, 8],
      ],
    ],
    [
      'end late',
      [4, 12],
      ['episode_ends_mismatch'],
      [
        [0, 4],
        [4, 10],
      ],
    ],
    [
      'begin past the end',
      [4, 10, 14],
      ['episode_ends_mismatch'],
      [
        [0, 4],
        [4, 10],
      ],
    ],
  ])('ends that %s', async (_, ends, wanted, spans) => {
    const set = await readBuffer(undefined, ends);
    expect(codesOf(set)).toEqual([...wanted, 'rate_unknown']);
    expect(set.episodes.map(({ locator }) => [locator.span?.from, locator.span?.to])).toEqual(spans);
    expect(set.episodes.length + set.unreadable.length).toBe(ends.length);
    for (const { finding } of set.unreadable) expect(finding.code).toBe('episode_without_rows');
    if (ends.at(-1) === 12) expect(codesOf(set.episodes[1])).toEqual(['length_mismatch']);
  });

  it('arrays of other lengths are named', async () => {
    const set = await readBuffer({ state, action, late: { shape: [7, 1] } });
    expect(findingOf(set, 'array_length_differs')?.evidence).toEqual({ array: 'late', found: 7, usual: 10 });
    expect(streamOf(set.episodes[1], 'late').sample_count).toBe(3);
  });

  it('consolidated metadata that is stale hides arrays', async () => {
    const files = replayFiles({ state, action }, [4, T]);
    const meta = (key: string) =>
      JSON.parse(Buffer.from(files.get(key)!).toString()) as Record<string, unknown>;
    const listed = (metadata: unknown) =>
      files.set('.zmetadata', Buffer.from(JSON.stringify({ zarr_consolidated_format: 1, metadata })));
    const all = Object.fromEntries(
      [...files.keys()].filter((key) => key.endsWith('/.zarray')).map((key) => [key, meta(key)]),
    );
    listed(all);
    expect(codesOf(await readFiles(files))).toEqual(['rate_unknown']);
    const { 'data/action/.zarray': _, ...without } = all;
    listed({
      ...without,
      'data/gone/.zarray': {},
      'data/state/.zarray': { ...all['data/state/.zarray'], shape: [9, 3] },
    });
    const set = await readFiles(files);
    expect(codesOf(set)).toEqual(['zmetadata_stale', 'zmetadata_stale', 'zmetadata_stale', 'rate_unknown']);
    expect(findingOf(set, 'zmetadata_stale')?.evidence).toEqual({ hidden: ['action'] });
    expect(set.episodes[0].streams.map(({ id }) => id)).toEqual(['action', 'state']);
  });

  it('groups that zarr demands are named where they are missing', async () => {
    const files = replayFiles({ state }, [4, T]);
    files.delete('data/.zgroup');
    expect(codesOf(await readFiles(files))).toContain('zgroup_missing');
  });

  it.each<[string, unknown]>([
    ['objects', { dtype: '|O', filters: [{ id: 'pickle' }] }],
    ['records', { dtype: [['a', '<f4']] }],
    ['texts', { dtype: '<U8' }],
  ])('%s are kept unread: no pickle is ever loaded', async (_, change) => {
    const files = replayFiles({ state, odd: { shape: [T], dtype: '|u1' } }, [4, T]);
    const meta = JSON.parse(Buffer.from(files.get('data/odd/.zarray')!).toString()) as object;
    files.set('data/odd/.zarray', Buffer.from(JSON.stringify({ ...meta, ...(change as object) })));
    const set = await readFiles(files);
    expect(streamOf(set.episodes[0], 'odd').modality).toBe('opaque');
    expect(numbersOf(set.episodes[0], 'state')).toEqual(range(0, 12));
  });

  it.each<[string, unknown]>([
    ['a shape of the wrong length', { shape: [T] }],
    ['chunks of no size', { chunks: [0, 3] }],
    ['chunks beyond all memory', { chunks: [2 ** 31, 3] }],
    ['dimensions beyond all numbers', { shape: [2 ** 40, 2 ** 40], chunks: [1, 1] }],
    ['rows in millions of chunks', { shape: [T, 1e7], chunks: [4, 1] }],
    ['text in place of metadata', 'x'],
  ])('an array with %s is left out', async (_, change) => {
    const files = replayFiles({ state, odd: { shape: [T, 3] } }, [4, T]);
    const meta = JSON.parse(Buffer.from(files.get('data/odd/.zarray')!).toString()) as object;
    files.set(
      'data/odd/.zarray',
      Buffer.from(typeof change === 'string' ? change : JSON.stringify({ ...meta, ...(change as object) })),
    );
    const set = await readFiles(files);
    expect(findingOf(set, 'array_unreadable')?.message).toContain('odd');
    expect(set.episodes[0].streams.map(({ id }) => id)).toEqual(['state']);
  });

  it('an array that says it is endless costs only what episodes ask of it', async () => {
    const files = replayFiles({ state, odd: { shape: [T, 3] } }, [4, T]);
    const meta = JSON.parse(Buffer.from(files.get('data/odd/.zarray')!).toString()) as object;
    files.set('data/odd/.zarray', Buffer.from(JSON.stringify({ ...meta, shape: [2 ** 45, 3] })));
    const set = await readFiles(files);
    expect(findingOf(set, 'set_chunks_missing')?.evidence).toMatchObject({ array: 'odd', present: 1 });
    expect(streamOf(set.episodes[0], 'odd').sample_count).toBe(4);
  });

  it('without ends no episode can be told', async () => {
    const files = replayFiles({ state }, [4, T]);
    files.set('meta/episode_ends/.zarray', Buffer.from('{}'));
    const folder = await writeFiles(await temporaryFolder(), files);
    await expect(discover(folder)).rejects.toMatchObject({
      code: 'unreadable_input',
      path: 'meta/episode_ends/.zarray',
    });
    const lost = replayFiles({ state }, [4, T]);
    lost.delete('meta/episode_ends/0');
    await expect(discover(await writeFiles(await temporaryFolder(), lost))).rejects.toThrow(
      /chunks are missing/,
    );
  });

  it('in version 3 is refused with what to do', async () => {
    const files: Files = new Map();
    const node = (type: string) => Buffer.from(JSON.stringify({ zarr_format: 3, node_type: type }));
    for (const key of ['', 'data/', 'meta/']) files.set(`${key}zarr.json`, node('group'));
    files.set('meta/episode_ends/zarr.json', node('array'));
    const folder = await writeFiles(await temporaryFolder(), files);
    await expect(discover(folder)).rejects.toMatchObject({
      code: 'unsupported_version',
      advice: expect.stringContaining('zarr_format=2'),
    });
  });
});
