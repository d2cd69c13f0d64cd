import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { seededRandom } from '#core';
import { layerOf, runLayer } from '#labels/annotation';
import { findOption, ModelClient, ModelHost } from '#labels/models';
import { episodeOf } from '../annotation/known-motion.ts';
import { signalContext } from '../annotation/lane-episodes.ts';
import { depthOfPictures } from '../support/onnx-model.ts';
import { onPeers, peersPython } from '../support/peers.ts';
import { askScript } from './python-worker.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-interop-depth-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!peersPython)(onPeers('Depth by a model beside onnxruntime'), () => {
  it('is the same to 1e-4, out of the PNG that is kept', async () => {
    const [width_px, height_px] = [112, 84];
    const random = seededRandom(7);
    const rgb = Uint8Array.from({ length: 3 * width_px * height_px }, () => random.integer(0, 255));
    const path = join(folder, 'depth.onnx');
    writeFileSync(path, depthOfPictures(7));
    const host = new ModelHost();
    const client = new ModelClient(host.socket);
    try {
      const stored_px = [width_px, height_px] as const;
      const frame = { camera: 'front', row: 0, time_s: 0, width_px, height_px, stored_px, rgb };
      const output = await runLayer(layerOf('depth'), episodeOf([], 'teleop', 1), {
        ...signalContext({}),
        frames: async function* () {
          yield { camera: 'front', frames: [frame], missing: [], unreadable: null };
        },
        model: () =>
          client.session({
            ...{ model: 'test/depth', runtime: 'onnx', graphs: { main: path } },
            contract: findOption('onnx-community/depth-anything-v2-small')!.contract!,
          }),
      });
      const [{ json }, part] = output.parts;
      if (!('bytes' in part)) throw new Error('no PNG');
      const { cameras } = json as unknown as { cameras: { frames: { scale: number; offset: number }[] }[] };
      const [{ scale, offset }] = cameras[0].frames;
      writeFileSync(join(folder, 'depth.png'), part.bytes);
      writeFileSync(join(folder, 'rgb.bin'), rgb);
      writeFileSync(join(folder, 'about.json'), JSON.stringify({ width_px, height_px, scale, offset }));
      const { largest, range } = await askScript('peers', 'depth_onnx.py', folder);
      expect(range).toBeGreaterThan(0.1);
      expect(largest).toBeLessThan(1e-4);
    } finally {
      client.close();
      await host.close();
    }
  }, 60_000);
});
