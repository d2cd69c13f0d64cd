import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findOption, ModelClient, ModelHost, type ModelSession } from '#labels/models';
import { episodeOf } from '#test/annotation/known-motion';
import { signalContext } from '#test/annotation/lane-episodes';
import { framesOf, plainFrame } from '#test/support/lane-frames';
import { detrOfColours } from '#test/support/onnx-model';
import { layerOf, runLayer } from '../layer-registry.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-body-pose-'));
const host = new ModelHost();
const client = new ModelClient(host.socket);
afterAll(async () => {
  client.close();
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A body pose model that returns all 17 points in the middle of its input square. */
const middle: ModelSession = {
  model: 'test/bodies',
  runtime: 'onnx',
  files: [],
  contract: findOption('google/movenet-lightning')!.contract!,
  inputs: [{ name: 'input', type: 'int32', dims: [1, 192, 192, 3] }],
  outputs: [],
  device: 'cpu',
  passed_over: null,
  run: async () => ({
    Identity: {
      type: 'float32',
      dims: [1, 1, 17, 3],
      data: Float32Array.from({ length: 51 }, (_, at) => (at % 3 === 2 ? 0.8 : 0.5)),
    },
  }),
};

const detector = async () => {
  const graph = join(folder, 'people.onnx');
  const box = [0.25, 0.5, 0.25, 0.5] as const;
  writeFileSync(
    graph,
    detrOfColours(
      [
        { type: 0, box },
        { type: 41, box },
        { type: 79, box },
      ],
      80,
    ),
  );
  const model = 'peterande/d-fine-s';
  const contract = findOption(model)?.contract;
  return client.session({ model, runtime: 'onnx', graphs: { main: graph }, ...(contract && { contract }) });
};

it('looks at each person that detection finds, in px of the stored picture', async () => {
  const { parts, counts } = await runLayer(layerOf('body_pose'), episodeOf([], 'egocentric', 3), {
    ...signalContext({}),
    frames: framesOf([plainFrame(0, [255, 0, 0])]),
    model: async (surface) => (surface === 'body_pose' ? middle : detector()),
  });
  expect(counts).toEqual({ frames: 1, people: 1 });
  const { frames, model, detector: by } = parts[0].json;
  expect([model, by]).toEqual(['test/bodies', 'peterande/d-fine-s']);
  const keypoints = Array.from({ length: 17 }, () => [32, 48, 0.8]);
  expect(frames).toMatchObject([{ people: [{ keypoints, score: 0.8 }] }]);
});
