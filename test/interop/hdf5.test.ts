import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hdf5File } from '@assay/hdf5/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proprioStats } from '../support/agibot-episodes.ts';
import { droidEpisode } from '../support/droid-episodes.ts';
import {
  alohaEpisode,
  demonstration,
  jpegLike,
  paddedPictures,
  robomimicFile,
} from '../support/hdf5-recordings.ts';
import { hdf5Summary } from '../support/hdf5-summary.ts';
import { onPeers, peersPython } from '../support/peers.ts';
import { runScript } from './python-worker.ts';

const real = join(import.meta.dirname, '../../../shared/data/hdf5');
const scratch = join(tmpdir(), `assay-interop-hdf5-${process.pid}`);

/** Arrays that only this reader does not take, and says so. */
const notRead = new Set(['/scaleoffset', '/szip']);

beforeAll(async () => {
  if (!peersPython) return;
  mkdirSync(scratch);
  await runScript('peers', 'hdf5_files.py', scratch);
  // Files that other tests generate must be readable by the HDF5 library as well.
  const images = { arrays: { padded: paddedPictures(9) }, sequences: { jpeg: [0, 1].map(jpegLike) } };
  writeFileSync(join(scratch, 'own_aloha.h5'), hdf5File(alohaEpisode(9, { images })));
  const masks = { train: ['demo_0', 'demo_12'] };
  const demos = { demo_0: demonstration(30), demo_12: demonstration(7) };
  writeFileSync(join(scratch, 'own_robomimic.h5'), hdf5File(robomimicFile(demos, { masks })));
  writeFileSync(join(scratch, 'own_droid.h5'), droidEpisode(20)['trajectory.h5'] as Uint8Array);
  writeFileSync(join(scratch, 'own_agibot.h5'), proprioStats(20));
}, 60_000);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe.skipIf(!peersPython)(onPeers('HDF5 beside h5py'), () => {
  it('reads every array and attribute of every layout, index, filter and type as h5py does', async () => {
    const files = filesBelow(scratch);
    expect(files).toHaveLength(18);
    expect(await compared(files)).toBeGreaterThan(2_400);
  }, 60_000);

  it.skipIf(!existsSync(real))(
    'reads every array and attribute of the real recordings as h5py does (skipped without ../shared/data)',
    async () => {
      const files = filesBelow(real);
      expect(files).toHaveLength(15);
      expect(await compared(files)).toBeGreaterThan(1_000);
    },
    60_000,
  );
});

/** Number of arrays and attribute sets that were found equal. */
async function compared(files: readonly string[]): Promise<number> {
  const lines = (await runScript('peers', 'hdf5_truth.py', ...files)).trim().split('\n');
  let equal = 0;
  for (const [i, path] of files.entries()) {
    const truth = JSON.parse(lines[i]) as Record<string, unknown>;
    const ours = await hdf5Summary(path);
    for (const at of notRead) {
      if (!(at in truth)) continue;
      expect(ours[at], at).toEqual([
        'unread',
        expect.stringContaining(`${at}: unsupported compression filter`),
      ]);
      delete ours[at];
      delete truth[at];
    }
    expect(ours, path).toEqual(truth);
    equal += Object.keys(truth).length;
  }
  return equal;
}

function filesBelow(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /\.(h5|hdf5)$/.test(name))
    .sort()
    .map((name) => join(folder, name));
}
