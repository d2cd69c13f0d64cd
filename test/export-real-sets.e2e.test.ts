import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AssayError, messageOf } from '#core';
import type { ExportFormatId } from '#core/api';
import type { Episode } from '#core/episode';
import { exportFormats } from '#formats/write';
import { readSet, temporaryFolder } from '#test/support/lerobot-set';
import { rounds } from '#test/support/tiers';
import { exportSet, planExport } from '../src/engine/steps/export/export-set.ts';
import { findDatasets, type OpenedDataset, type OpenedDatasets } from '../src/engine/steps/find-datasets.ts';

/** Sets to try: those of one format in CI, all at night. */
const data = join(import.meta.dirname, '../../shared/data', rounds(0, 1) ? '' : 'hdf5');
const hooks = { signal: new AbortController().signal, onProgress: () => {} };
/** Formats for which every frame of video is decoded; of long video only the others are written here. */
const decoding: ReadonlySet<string> = new Set([
  'webdataset',
  'zarr-replay-buffer',
  'image-folder',
  'coco-detection',
]);
const mostFrames = 120;

/** Rows or samples by format; why not, where it was refused. */
type Written = Partial<Record<ExportFormatId, number | string>>;

async function write(
  all: OpenedDatasets,
  { recognised, dataset }: OpenedDataset,
  episode: Episode,
  format: ExportFormatId,
) {
  const folder = join(await temporaryFolder(), 'export');
  await mkdir(folder);
  const source = {
    name: 'set',
    dataset: recognised.path,
    of: dataset.facts.format,
    keep: [episode.id],
    names: {},
  };
  const task = { sources: [source], format, folder };
  try {
    const plan = await planExport([all], task, hooks);
    const set = await exportSet([all], task, hooks);
    if (!['mcap', 'image-folder', 'coco-detection'].includes(format)) expect(plan?.rows).toBe(set.rows);
    await readBack(folder, format, episode, set.rows);
    return set.rows;
  } catch (thrown) {
    // Some are kept for their spoiled pictures.
    if (thrown instanceof AssayError && /^(usage|unreadable_input)$/.test(thrown.code)) return thrown.message;
    throw new Error(`${recognised.path} (${dataset.facts.format}) as ${format}: ${messageOf(thrown)}`, {
      cause: thrown,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads the export with Assay's own readers. */
async function readBack(
  folder: string,
  format: ExportFormatId,
  episode: Episode,
  rows: number,
): Promise<void> {
  if (!/^(lerobot|zarr|mcap)/.test(format)) return;
  const { dataset, episodes, unreadable } = await readSet(folder);
  await dataset.close();
  expect(unreadable).toEqual([]);
  expect(episodes).toHaveLength(1);
  if (format !== 'mcap') {
    for (const { series, sample_count } of episodes[0].streams) if (series) expect(sample_count).toBe(rows);
    return;
  }
  const valuesOf = ({ streams }: Episode) =>
    streams.flatMap(({ series, sample_count }) =>
      series === undefined || sample_count === 0 ? [] : [[...series.values].join()],
    );
  const back = new Set(valuesOf(episodes[0]));
  for (const values of valuesOf(episode)) expect(back.has(values)).toBe(true);
}

async function shortest({ dataset }: OpenedDataset): Promise<Episode | null> {
  let found: Episode | null = null;
  let seen = 0;
  for (const unit of dataset.units)
    for await (const item of dataset.read(unit, { hashes: false })) {
      if ('unreadable' in item || seen++ > 4) continue;
      if (found === null || item.duration_s < found.duration_s) found = item;
    }
  return found;
}

const framesOf = ({ streams }: Episode) =>
  streams.reduce((sum, { modality, sample_count }) => sum + (modality === 'video' ? sample_count : 0), 0);

describe.skipIf(!existsSync(data))('every set of real recordings', () => {
  let all: OpenedDatasets;
  beforeAll(async () => {
    all = await findDatasets(data);
  }, 240_000);
  afterAll(async () => {
    for (const { dataset } of all.found) await dataset.close();
  });

  it('leaves in every format that can hold it, comes back as it was, and is else refused with the reason', async () => {
    const written: Record<string, Written> = {};
    for (const found of all.found) {
      const { recognised, dataset } = found;
      // Spoiled pictures, one a file: which of them can be read is another test.
      const episode = recognised.path === '' ? null : await shortest(found);
      if (episode === null) continue;
      const own: Written = {};
      for (const { id } of exportFormats.rows)
        if (!decoding.has(id) || framesOf(episode) <= mostFrames)
          own[id] = await write(all, found, episode, id);
      written[`${recognised.path} (${dataset.facts.format})`] = own;
    }
    const results = Object.values(written).flatMap((own) => Object.values(own));
    expect(results.filter((result) => result === 0)).toEqual([]);
    const refused = results.filter((result) => typeof result === 'string');
    const why =
      /cannot (store|hold|be decoded|write|determine the image size)|no episode to export has a video file|has no timestamps|frame rate .*is unknown|no (row|time at which)|LeRobot requires|is not a JPEG/;
    expect([...new Set(refused)].filter((text) => !why.test(text))).toEqual([]);
    expect(results.filter((result) => typeof result === 'number').length).toBeGreaterThan(rounds(3, 60));
  }, 1_200_000);
});
