import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FrameBatch, type LaneFrame, layerOf, runLayer } from '#labels/annotation';
import { episodeOf } from '#test/annotation/known-motion';
import { temporaryFolder } from '#test/support/lerobot-set';
import { peersPython } from '#test/support/peers';
import { framesContext, videoFrames } from '#test/support/video-frames';
import { askScript } from './python-worker.ts';

const data = join(import.meta.dirname, '../../../shared/data');
const skipped =
  peersPython && existsSync(data) ? '' : ' (skipped: set ASSAY_PEERS_PYTHON, and have ../shared/data)';

const clips = [
  ['lerobot-v21-g1-bottle/videos/chunk-000/observation.images.cam_high/episode_000001.mp4', 2],
  ['video/decord/examples/flipping_a_pancake.mkv', 10],
] as const;

describe.skipIf(skipped !== '')(`flow of real frames${skipped}`, () => {
  it.each(clips)(
    'is that of OpenCV for Python, pixel by pixel, and comes back: %s at %d Hz',
    async (path, rate_hz) => {
      const frames: LaneFrame[] = [];
      const seen = async function* (): AsyncGenerator<FrameBatch> {
        for await (const batch of videoFrames(join(data, path), { rate_hz, longest_side_px: 320 })) {
          const own = batch.frames.slice(0, 16 - frames.length);
          frames.push(...own);
          yield { ...batch, frames: own };
          if (frames.length >= 16) return;
        }
      };
      const output = await runLayer(
        layerOf('optical_flow'),
        episodeOf([], 'egocentric', 10),
        framesContext(seen),
      );
      const folder = await temporaryFolder();
      const planes = output.parts.find(({ name }) => name === 'flow-0000')!;
      if (!('bytes' in planes)) throw new Error('no planes');
      const pairs = frames.slice(1).map(({ width_px, height_px }, at) => {
        const size = 4 * width_px * height_px;
        writeFileSync(join(folder, `${at}.planes`), planes.bytes.subarray(at * size, (at + 1) * size));
        return { from: `${at}.rgb`, to: `${at + 1}.rgb`, planes: `${at}.planes`, width_px, height_px };
      });
      for (const [at, { rgb }] of frames.entries()) writeFileSync(join(folder, `${at}.rgb`), rgb);
      writeFileSync(join(folder, 'frames.json'), JSON.stringify(pairs));
      const said = await askScript('peers', 'farneback.py', folder);
      expect(said.pairs).toBe(15);
      expect(said.mean_length_px).toBeGreaterThan(0.1);
      expect(said.mean_epe_px).toBeLessThan(0.05);
      expect(output.quality).toBeGreaterThan(0.5);
    },
    120_000,
  );
});
