import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findOption, ModelClient, ModelHost, type ModelRef } from '#labels/models';
import { episodeOf } from '#test/annotation/known-motion';
import { signalContext } from '#test/annotation/lane-episodes';
import { framesOf, plainFrame } from '#test/support/lane-frames';
import { channelMeans, detrOfColours } from '#test/support/onnx-model';
import type { LaneOutput } from '../lane.ts';
import { layerOf, runLayer } from '../layer-registry.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-object-labels-'));
const host = new ModelHost();
const client = new ModelClient(host.socket);
const middle = [0.5, 0.5, 0.25, 0.5] as const;
const corner = [0.1, 0.1, 0.5, 0.5] as const;

beforeAll(() => {
  const queries = [
    { type: 0, box: middle },
    { type: 41, box: corner },
    { type: 79, box: middle },
  ] as const;
  writeFileSync(join(folder, 'eighty.onnx'), detrOfColours(queries, 80));
  const numbered = [
    { type: 1, box: middle },
    { type: 47, box: corner },
    { type: 12, box: middle },
  ] as const;
  writeFileSync(join(folder, 'numbers.onnx'), detrOfColours(numbered, 91));
  writeFileSync(join(folder, 'means.onnx'), channelMeans());
});
afterAll(async () => {
  client.close();
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A model file that replaces the one of a registered model. */
function ref(file: string, model = 'peterande/d-fine-s'): ModelRef {
  const contract = findOption(model)?.contract;
  const graphs = { main: join(folder, file) };
  return { model, runtime: 'onnx', graphs, ...(contract && { contract }) };
}

type Frames = Parameters<typeof framesOf>[0];
const label = (frames: Frames, model: ModelRef, config: Record<string, unknown> = {}): Promise<LaneOutput> =>
  runLayer(layerOf('object_labels'), episodeOf([], 'egocentric', 3), {
    ...signalContext(config as Record<string, string>),
    frames: framesOf(frames),
    model: () => client.session(model),
  });

interface Artifact {
  readonly classes: readonly string[] | null;
  readonly classes_unknown: readonly string[];
  readonly frames: readonly {
    readonly width_px: number;
    readonly boxes: readonly { readonly label: string; readonly score: number; readonly box: number[] }[];
  }[];
}
const artifact = ({ parts }: LaneOutput) => parts[0].json as unknown as Artifact;
const boxes = (output: LaneOutput) => artifact(output).frames.flatMap((frame) => frame.boxes);

const red = [255, 0, 0] as const;
const yellow = [255, 255, 0] as const;

describe('object labels', () => {
  it('lie in px of the stored picture, whatever size the model saw', async () => {
    const output = await label([plainFrame(0, red)], ref('eighty.onnx'));
    expect(boxes(output)).toEqual([{ label: 'person', score: 0.982, box: [48, 24, 32, 48] }]);
    expect(artifact(output).frames[0].width_px).toBe(128);
    expect(output.counts).toEqual({ boxes: 1, frames: 1 });
    expect([output.quality, output.quality_reason]).toEqual([
      null,
      'no objects in a frame that is followed by another frame',
    ]);
  });

  it('end at the edge of the picture', async () => {
    const output = await label([plainFrame(0, yellow)], ref('eighty.onnx'));
    expect(boxes(output)).toContainEqual({ label: 'cup', score: 0.982, box: [0, 0, 44.8, 33.6] });
  });

  it('go by COCO’s own numbers where a model has 91 of them, and none that it skips', async () => {
    const output = await label(
      [plainFrame(0, [255, 255, 255])],
      ref('numbers.onnx', 'roboflow/rf-detr-nano'),
    );
    expect(
      boxes(output)
        .map((one) => one.label)
        .sort(),
    ).toEqual(['cup', 'person']);
  });

  it('are kept from the floor on, and of the classes that are asked for', async () => {
    const dim = [plainFrame(0, [128, 255, 0])];
    const floor = (confidence_floor: number) => label(dim, ref('eighty.onnx'), { confidence_floor });
    expect(boxes(await floor(0.35)).map((one) => one.label)).toEqual(['cup', 'person']);
    expect(boxes(await floor(0.6)).map((one) => one.label)).toEqual(['cup']);
    const manual = { ontology_source: 'manual', classes: ['Cup', 'gripper'] };
    const some = await label(dim, ref('eighty.onnx'), manual);
    expect(boxes(some).map((one) => one.label)).toEqual(['cup']);
    expect(artifact(some)).toMatchObject({ classes: ['cup'], classes_unknown: ['gripper'] });
    const none = label(dim, ref('eighty.onnx'), { ...manual, classes: ['gripper'] });
    await expect(none).rejects.toMatchObject({ code: 'invalid_settings' });
  });

  it('are as good as the next frame confirms them', async () => {
    const seen = (rows: readonly (readonly [number, number, number])[]) =>
      label(
        rows.map((rgb, row) => plainFrame(row, rgb)),
        ref('eighty.onnx'),
      );
    expect((await seen([red, red, red])).quality).toBeCloseTo(0.982, 3);
    expect((await seen([red, [0, 0, 0], red])).quality).toBe(0);
  });

  it('are refused of a model that is of another shape than its row says, or that no lane reads', async () => {
    const wrong = label([plainFrame(0, red)], ref('means.onnx'));
    await expect(wrong).rejects.toMatchObject({
      code: 'layer_unavailable',
      message: expect.stringContaining('expected input pixel_values: float32 of 1 x 3 x any x any'),
    });
    const unknown = label([plainFrame(0, red)], ref('eighty.onnx', 'test/unknown'));
    await expect(unknown).rejects.toMatchObject({ code: 'layer_unavailable' });
  });

  it('say why there is no picture', async () => {
    const output = runLayer(layerOf('object_labels'), episodeOf([], 'egocentric', 3), {
      ...signalContext({}),
      frames: framesOf([], { unreadable: 'the file is cut' }),
      model: () => client.session(ref('eighty.onnx')),
    });
    await expect(output).rejects.toMatchObject({ code: 'unreadable_input', message: /the file is cut/ });
  });
});
