import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeTeleopMcap } from '#apps/samples';
import type { ExportFormatId } from '#core/api';
import type { Episode } from '#core/episode';
import type { EditRequest } from '#formats/write';
import { readSet, temporaryFolder, writeSet } from '#test/support/lerobot-set';
import { rounds } from '#test/support/tiers';
import { findDatasets } from '../find-datasets.ts';
import type { ExportSource } from './export-request.ts';
import { exportSet, planExport } from './export-set.ts';

const hooks = { signal: new AbortController().signal, onProgress: () => {} };

interface Asked extends Pick<ExportSource, 'trims'> {
  readonly format: ExportFormatId;
  readonly edits?: EditRequest;
  readonly rate_hz?: number;
}

/** Plans and writes the first episodes of a source; the plan says what is written. */
async function exported(source: string, keep: readonly string[], { trims, ...asked }: Asked) {
  const all = await findDatasets(source);
  const folder = join(await temporaryFolder(), 'export');
  const own = { name: 'set', dataset: '', keep, names: {}, ...(trims === undefined ? {} : { trims }) };
  const task = { ...asked, sources: [own], folder };
  try {
    const plan = await planExport([all], task, hooks);
    const set = await exportSet([all], task, hooks);
    expect(plan?.rows ?? 0).toBe(set.rows);
    expect(plan?.episodes.map(({ id }) => id) ?? []).toEqual(set.episodes?.map(({ id }) => id));
    return { folder, set, plan };
  } finally {
    await Promise.all(all.found.map(({ dataset }) => dataset.close()));
  }
}

const numbersOf = ({ streams }: Episode) =>
  Object.fromEntries(
    streams.flatMap(({ id, series }) =>
      series === undefined || !/^(action|observation\.state)$/.test(id) ? [] : [[id, [...series.values]]],
    ),
  );

async function numbers(folder: string) {
  const { dataset, episodes } = await readSet(folder);
  await dataset.close();
  return episodes.map(numbersOf);
}

const requests = fc.record({
  shift: fc.constantFrom([], ['action=-3'], ['action=2', 'observation.state=-1']),
  trim: fc.constantFrom([], ['0.2..1'], ['..0.7'], ['0.4..'], ['idle']),
  convert: fc.constantFrom([], ['observation.state=deg:rad']),
});

describe('edits of rows', () => {
  const keep = ['episode_000000', 'episode_000002'];
  let source = '';
  beforeAll(async () => {
    source = await writeSet({ layout: 'v2', episodes: 3, rows: 40 });
  });

  it('give arrays the rows that a copied LeRobot set has', async () => {
    const property = fc.asyncProperty(requests, async (edits) => {
      const copied = await exported(source, keep, { format: 'lerobot-v3', edits });
      const arrays = await exported(source, keep, { format: 'zarr-replay-buffer', edits });
      expect(arrays.set.episodes).toEqual(copied.set.episodes);
      expect(arrays.set.rows).toBe(copied.set.rows);
      if (copied.set.rows > 0) expect(await numbers(arrays.folder)).toEqual(await numbers(copied.folder));
    });
    await fc.assert(property, { numRuns: rounds(3, 12) });
  }, 120_000);

  it('of a plan keep the seconds that it names, of the episodes that it names', async () => {
    const trims = { episode_000002: { from_s: 0.2, to_s: 0.6 } };
    for (const format of ['lerobot-v3', 'zarr-replay-buffer'] as const) {
      const { set } = await exported(source, keep, { format, trims });
      const [whole, part] = set.episodes ?? [];
      expect(whole.rows).toBeNull();
      expect(part.rows![1] - part.rows![0]).toBe(set.rows - 40);
      expect(set.edits[0]).toEqual({ edit: 'trim', to: 'plan', episodes: 1 });
    }
  });

  it('refuse what the format cannot be given, and names that there are not', async () => {
    const refused = (format: ExportFormatId, edits: EditRequest) =>
      expect(exported(source, keep, { format, edits })).rejects.toMatchObject({ code: 'usage' });
    await refused('webdataset', { video: ['h264'] });
    await refused('zarr-replay-buffer', { split: ['train=1'] });
    await refused('zarr-replay-buffer', { drop: ['observation.torque'] });
    await refused('mcap', { shift: ['action=1'] });
  });
});

describe('recordings of many rates', () => {
  let source = '';
  let action = '';
  let ids: string[] = [];
  beforeAll(async () => {
    source = join(await temporaryFolder(), 'recordings');
    await writeTeleopMcap(source, 5, () => {}, { episodes: 2, plan: {} });
    const { dataset, episodes } = await readSet(source);
    ids = episodes.map(({ id }) => id);
    action = episodes[0].streams.find(({ role }) => role === 'action')!.id;
    await dataset.close();
  }, 120_000);

  it('become LeRobot episodes cut, shifted, scaled and split, each row as it is without edits', async () => {
    const whole = await exported(source, ids, { format: 'lerobot-v3' });
    const split = ['train=0.5', 'val=0.5'];
    const edits = { trim: ['1..3'], shift: [`${action}=-2`], size: ['64x48'], split };
    const cut = await exported(source, ids, { format: 'lerobot-v3', edits });
    const [before, after] = [await numbers(whole.folder), await numbers(cut.folder)];
    for (const [place, { rows }] of cut.set.episodes!.entries()) {
      const [from, until] = rows!;
      const of = (name: string, by: number) => {
        const dims = before[place][name].length / whole.plan!.episodes[place].rows;
        return before[place][name].slice((from + by) * dims, (until + by) * dims);
      };
      expect(after[place]['observation.state']).toEqual(of('observation.state', 0));
      expect(after[place].action).toEqual(of('action', 2));
    }
    const { dataset, episodes } = await readSet(cut.folder);
    expect(episodes.map(({ split }) => split)).toEqual(['train', 'val']);
    const camera = episodes[0].streams.find(({ role }) => role === 'camera')!;
    expect(camera.frames?.declared_size_px).toEqual([64, 48]);
    await dataset.close();
  }, 240_000);
});
