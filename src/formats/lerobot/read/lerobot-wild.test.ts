import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSet, temporaryFolder, writeSet } from '#test/support/lerobot-set';

const withPicture = (info: Record<string, unknown>) => ({
  ...info,
  features: {
    ...(info.features as object),
    'observation.images.cam': { dtype: 'image', shape: [4, 6, 3], names: ['height', 'width', 'channels'] },
  },
});

describe('sets as they are met', () => {
  it.each(['v2', 'v3'] as const)('%s below a path with glob characters is read', async (layout) => {
    const folder = join(await temporaryFolder(), 'run [1] *');
    await mkdir(folder);
    await rename(await writeSet({ layout, episodes: 4 }), join(folder, 'set?'));
    const { episodes, unreadable } = await readSet(join(folder, 'set?'));
    expect([episodes.length, unreadable.length]).toEqual([4, 0]);
    expect(episodes[3].sources[0].sha256).toHaveLength(64);
  });

  it('whose pictures are files named by a column are read from those files', async () => {
    const { episodes } = await readSet(
      await writeSet({
        episodes: 1,
        rows: 2,
        data: (rows) =>
          `SELECT *, {'bytes': NULL::BLOB, 'path': 'images/cam/frame-' || frame_index || '.png'} AS "observation.images.cam" FROM (${rows})`,
        info: withPicture,
        extra: { 'images/cam/frame-0.png': 'x', 'images/cam/frame-1.png': 'y' },
      }),
    );
    const frames = episodes[0].streams.find((stream) => stream.id === 'observation.images.cam')?.frames;
    expect(frames?.locator).toEqual({
      type: 'image-files',
      paths: ['images/cam/frame-0.png', 'images/cam/frame-1.png'],
    });
  });

  it('whose pictures are null everywhere have a missing camera', async () => {
    const { episodes } = await readSet(
      await writeSet({
        data: (rows) => `SELECT *, NULL::BLOB AS "observation.images.cam" FROM (${rows})`,
        info: withPicture,
      }),
    );
    const frames = episodes[0].streams.find((stream) => stream.id === 'observation.images.cam')?.frames;
    expect(frames?.locator.type).toBe('missing');
  });

  it('with texts and language columns keep them as annotation without numbers', async () => {
    const { episodes, codes } = await readSet(
      await writeSet({
        data: (rows) =>
          `SELECT *, 'reach' AS subtask, [{'role': 'user', 'content': 'go'}] AS language_events FROM (${rows})`,
        info: (info) => ({
          ...info,
          features: {
            ...(info.features as object),
            subtask: { dtype: 'string', shape: [1], names: null },
            language_events: { dtype: 'language', shape: [1], names: null },
          },
        }),
      }),
    );
    const texts = episodes[0].streams.filter((stream) => stream.modality === 'text');
    expect(texts.map((stream) => [stream.id, stream.role])).toEqual([
      ['subtask', 'annotation'],
      ['language_events', 'annotation'],
    ]);
    expect(codes).toEqual(['language_columns']);
  });

  it('with a footer that older libraries cannot read say so', async () => {
    const footer = JSON.stringify({ info: { features: { action: { _type: 'List' } } } }).replaceAll(
      '":"',
      '": "',
    );
    const folder = await writeSet({});
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const file = join(folder, 'data/chunk-000/file-000.parquet');
    await connection.run(`CREATE TABLE kept AS FROM read_parquet('${file}')`);
    await connection.run(`COPY kept TO '${file}' (FORMAT parquet, KV_METADATA {huggingface: '${footer}'})`);
    connection.closeSync();
    expect((await readSet(folder)).codes).toEqual(['footer_list_type']);
  });

  it('with extra folders of recording leftovers are read all the same', async () => {
    const { episodes } = await readSet(
      await writeSet({
        extra: {
          '__MACOSX/meta/info.json': 'x',
          'meta/._info.json': 'x',
          'images/cam/episode-000000/frame-000000.png': '',
        },
      }),
    );
    expect(episodes).toHaveLength(3);
  });

  it('give the same episodes whatever the order of reading', async () => {
    const folder = await writeSet({ episodes: 8, files: 3, rows: 40, rowGroup: 50 });
    const forward = await readSet(folder);
    const backward: unknown[] = [];
    for (const unit of forward.dataset.units.toReversed())
      for await (const read of forward.dataset.read(unit, {})) backward.push(read);
    const byIndex = (episodes: readonly unknown[]) =>
      episodes.map((episode) => JSON.stringify(episode)).toSorted();
    expect(byIndex(backward)).toEqual(byIndex(forward.episodes));
  });
});
