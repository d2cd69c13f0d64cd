import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportDataset, verifyExport } from '#engine/local/export';
import { laidEpisodes } from '#test/support/export-truth';
import { temporaryFolder } from '#test/support/lerobot-set';
import { lerobotPython, onLeRobot } from '#test/support/peers';
import { askScript } from './python-worker.ts';

const video = 'test/conformance/videos/gopro-stamped/input';

/** Numbers of one stream at the rows of the export as the loader gives them, float32 widened to float64, hashed. */
async function hashOf(id: string): Promise<string> {
  const digest = createHash('sha256');
  for await (const { episode, rows, places } of laidEpisodes(video, [0], 'video')) {
    const stream = episode.streams.find((candidate) => candidate.id === id)!;
    const { values, dims } = stream.series!;
    const at = places(stream);
    for (let row = 0; row < rows; row++)
      digest.update(
        new Uint8Array(
          Float64Array.from(Float32Array.from(values.subarray(at[row] * dims, (at[row] + 1) * dims))).buffer,
        ),
      );
  }
  return digest.digest('hex');
}

describe.skipIf(!lerobotPython)(onLeRobot('LeRobot sets of GoPro videos'), () => {
  it('give the loader the IMU and the positions beside the pictures', async () => {
    const folder = join(await temporaryFolder(), 'export');
    await exportDataset(video, folder, { with_review: true });
    expect((await verifyExport(folder)).problems).toEqual([]);
    const seen = await askScript('lerobot', 'export_recorded.py', folder);
    expect(seen).toMatchObject({ rows: 90, ends: [90] });
    expect(seen.pictures['observation.images.video']).toHaveLength(90);
    expect(Object.keys(seen.numbers)).toContain('observation.GPS9.position');
    for (const id of ['ACCL', 'GYRO', 'CORI'])
      expect(seen.numbers[`observation.${id}`], id).toBe(await hashOf(id));
  }, 240_000);
});
