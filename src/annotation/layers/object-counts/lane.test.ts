import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findOption, ModelClient, ModelHost } from '#models';
import { episodeOf } from '#test/annotation/known-motion';
import { signalContext } from '#test/annotation/lane-episodes';
import { framesOf, plainFrame } from '#test/support/lane-frames';
import { detrOfColours } from '#test/support/onnx-model';
import { layerOf } from '../../layer-registry.ts';
import { runLayer } from '../../run-layer.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-object-counts-'));
const host = new ModelHost();
const client = new ModelClient(host.socket);
afterAll(async () => {
  client.close();
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

it('objects of one class are counted together', async () => {
  const [left, right, middle] = [
    [0.1, 0.1, 0.1, 0.1],
    [0.8, 0.8, 0.1, 0.1],
    [0.5, 0.5, 0.2, 0.2],
  ] as const;
  const queries = [
    { type: 41, box: left },
    { type: 41, box: right },
    { type: 0, box: middle },
  ] as const;
  writeFileSync(join(folder, 'model.onnx'), detrOfColours(queries, 80));
  const model = 'peterande/d-fine-s';
  const contract = findOption(model)?.contract;
  const graphs = { main: join(folder, 'model.onnx') };
  const { parts, counts } = await runLayer(layerOf('object_counts'), episodeOf([], 'egocentric', 3), {
    ...signalContext({}),
    frames: framesOf([plainFrame(0, [255, 255, 255])]),
    model: () => client.session({ model, runtime: 'onnx', graphs, ...(contract && { contract }) }),
  });
  expect(parts[0].json.frames).toMatchObject([{ camera: 'front', counts: { cup: 2, person: 1 } }]);
  expect(counts).toEqual({ frames: 1, objects: 3 });
});
