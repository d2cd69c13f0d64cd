import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ExportFormatId } from '#core/api';
import { temporaryFolder, writeSet } from '#test/support/lerobot-set';
import { findDatasets } from '../find-datasets.ts';
import { exportSet } from './export-set.ts';

const keep = ['episode_000000', 'episode_000001', 'episode_000002'];

/** Exports a set of three episodes; `touch` is called once their rows are written. */
async function exportWhile(touch: (source: string) => void, format: ExportFormatId = 'lerobot-v3') {
  const source = await writeSet({ layout: 'v2', episodes: 3, rows: 40 });
  const all = await findDatasets(source);
  const task = {
    sources: [{ name: 'set', dataset: '', keep, names: {} }],
    format,
    folder: join(await temporaryFolder(), 'export'),
  };
  let done = 0;
  const onProgress = (episodes: number) => {
    done += episodes;
    if (episodes > 0 && done === keep.length) touch(source);
  };
  try {
    return await exportSet([all], task, { signal: new AbortController().signal, onProgress });
  } finally {
    await Promise.all(all.found.map(({ dataset }) => dataset.close()));
  }
}

it('copies the rows of all episodes that are asked for', async () => {
  const { rows, sources } = await exportWhile(() => {});
  expect(rows).toBe(120);
  expect(sources[0].length).toBeGreaterThan(3);
});

it('refuses a file that is written to while it is copied, with its name', async () => {
  const file = 'data/chunk-000/episode_000001.parquet';
  const asked = exportWhile((source) => utimesSync(join(source, file), new Date(), new Date()));
  await expect(asked).rejects.toMatchObject({ code: 'not_ready', path: file });
});

it('refuses it too where rows go into another format', async () => {
  const file = 'data/chunk-000/episode_000001.parquet';
  const touch = (source: string) => utimesSync(join(source, file), new Date(), new Date());
  await expect(exportWhile(touch, 'webdataset')).rejects.toMatchObject({ code: 'not_ready', path: file });
  expect((await exportWhile(() => {}, 'webdataset')).rows).toBe(120);
});
