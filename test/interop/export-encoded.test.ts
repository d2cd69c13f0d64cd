import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ExportOptions, exportDataset } from '#engine/local/export';
import { temporaryFolder } from '#test/support/lerobot-set';
import { lerobotPython, onLeRobot, peersPython } from '#test/support/peers';
import { rounds } from '#test/support/tiers';
import { libraryRecording } from './lerobot-recording.ts';
import { robovetFailures } from './lerobot-validators.ts';
import { askScript } from './python-worker.ts';

const only = ['0', '1'];

/** The first two in CI: another codec, size and start; and another rate. */
const encodings: readonly (readonly [ExportOptions, object, string])[] = [
  [
    { edits: { video: ['h265'], size: ['64x48'], trim: ['0.2..'] } },
    { rows: 78, fps: 30, codecs: ['hevc'], shape: [3, 48, 64] },
    'hevc',
  ],
  [{ rate_hz: 15 }, { fps: 15, codecs: ['h264'], shape: [3, 96, 128] }, 'h264'],
  [{ edits: { video: ['h264'] } }, { rows: 90, fps: 30, codecs: ['h264'], shape: [3, 96, 128] }, 'h264'],
  [{ rate_hz: 60, edits: { video: ['av1'] } }, { fps: 60, codecs: ['libdav1d'], shape: [3, 96, 128] }, 'av1'],
];

describe.skipIf(!lerobotPython)(onLeRobot('videos that are encoded again'), () => {
  let source: string;
  beforeAll(async () => {
    source = (await libraryRecording()).folder;
  }, 120_000);

  it.each(encodings.slice(0, rounds(2, 4)))(
    'are the pictures of their rows for the library: %j',
    async (options, expected, codec) => {
      const folder = join(await temporaryFolder(), 'export');
      const { lineage } = await exportDataset(source, folder, { ...options, only });
      expect(lineage?.edits).toContainEqual(expect.objectContaining({ edit: 'encode', episodes: 2 }));
      const seen = await askScript('lerobot', 'export_encoded.py', source, folder);
      expect(seen).toMatchObject({ ...expected, declared: codec, different: [] });
      expect(seen.rows).toBe(seen.total);
      expect(seen.least_psnr).toBeGreaterThan(28);
      if (peersPython) expect(await robovetFailures(folder)).toEqual([]);
    },
    300_000,
  );

  it('are copied where they are what was asked for', async () => {
    const folder = join(await temporaryFolder(), 'export');
    const { lineage } = await exportDataset(source, folder, { only, edits: { video: ['av1'] } });
    expect(lineage?.edits).not.toContainEqual(expect.objectContaining({ edit: 'encode' }));
    const seen = await askScript('lerobot', 'export_beside_source.py', source, folder);
    expect(seen).toMatchObject({ episodes: 2, different: [] });
  }, 300_000);
});
