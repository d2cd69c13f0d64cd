import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeTeleopMcap } from '#apps/samples';
import { exportDataset, verifyExport } from '#engine/local/export';
import { rowsTruth } from '#test/support/export-truth';
import { temporaryFolder } from '#test/support/lerobot-set';
import { onPeers, peersPython } from '#test/support/peers';
import { askScript } from './python-worker.ts';

const bridge = join(import.meta.dirname, '../../../shared/data/rlds/bridge');

const seenBy = (format: 'webdataset' | 'zarr', folder: string) =>
  askScript('peers', 'export_rows.py', format, folder);

async function exported(
  source: string,
  format: 'webdataset' | 'zarr-replay-buffer',
  only: readonly number[],
) {
  const folder = join(await temporaryFolder(), 'export');
  const { lineage } = await exportDataset(source, folder, { format, only: only.map(String) });
  expect(lineage?.format).toBe(format);
  expect((await verifyExport(folder)).problems).toEqual([]);
  return { folder, edits: lineage!.edits };
}

const plain = (all: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(all).map(([id, hash]) => [id.replace(/^\//, '').replaceAll('/', '.'), hash]),
  );

async function teleopMcap(): Promise<string> {
  const folder = join(await temporaryFolder(), 'recordings');
  await writeTeleopMcap(folder, 5, () => {}, { episodes: 3, plan: {} });
  return folder;
}

describe.skipIf(!peersPython)(onPeers('sets of rows'), () => {
  it.skipIf(!existsSync(bridge))(
    'of real RLDS are read by webdataset and zarr as RLDS has them',
    async () => {
      const only = [0, 7, 24];
      const truth = await rowsTruth(bridge, only, null);
      const shards = await exported(bridge, 'webdataset', only);
      const seen = await seenBy('webdataset', shards.folder);
      expect(seen).toMatchObject({
        ends: truth.ends,
        numbers: plain(truth.numbers),
        pictures: plain(truth.pictures),
      });
      const buffer = await exported(bridge, 'zarr-replay-buffer', only);
      expect(await seenBy('zarr', buffer.folder)).toMatchObject({
        ends: truth.ends,
        numbers: plain(truth.numbers),
      });
    },
    120_000,
  );

  it('of multi-rate MCAP hold the latest sample of each topic, and its pictures byte by byte', async () => {
    const source = await teleopMcap();
    const { folder, edits } = await exported(source, 'webdataset', [0, 2]);
    const reference = edits.find(({ edit }) => edit === 'align')?.reference;
    expect(reference).toMatch(/image|camera/);
    const truth = await rowsTruth(source, [0, 2], String(reference));
    const dropped = new Set(edits.flatMap(({ edit, feature }) => (edit === 'drop_feature' ? [feature] : [])));
    const held = Object.fromEntries(Object.entries(truth.numbers).filter(([id]) => !dropped.has(id)));
    expect(await seenBy('webdataset', folder)).toMatchObject({
      ends: truth.ends,
      numbers: plain(held),
      pictures: plain(truth.pictures),
    });
  }, 120_000);
});
