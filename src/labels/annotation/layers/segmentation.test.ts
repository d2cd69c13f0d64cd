import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findOption, ModelClient, ModelHost } from '#labels/models';
import { episodeOf } from '#test/annotation/known-motion';
import { signalContext } from '#test/annotation/lane-episodes';
import { framesOf, plainFrame } from '#test/support/lane-frames';
import { isObject, objectFrame } from '#test/support/object-frame';
import { detrOfColours } from '#test/support/onnx-model';
import { readRle } from '#test/support/read-rle';
import type { LaneFrame, LaneOutput } from '../lane.ts';
import { layerOf, runLayer } from '../layer-registry.ts';
import type { Rle } from '../vision/outliner.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-segmentation-'));
const host = new ModelHost();
const client = new ModelClient(host.socket);
const middle = [0.5, 0.5, 0.25, 0.5] as const;
const model = 'peterande/d-fine-s';

beforeAll(() => {
  const queries = [
    { type: 41, box: middle },
    { type: 0, box: [0.1, 0.1, 0.1, 0.1] },
    { type: 79, box: middle },
  ] as const;
  writeFileSync(join(folder, 'colours.onnx'), detrOfColours(queries, 80));
});
afterAll(async () => {
  client.close();
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

type LayerName = 'segmentation' | 'object_labels';
const annotate = (
  layer: LayerName,
  frames: readonly LaneFrame[],
  config: Record<string, boolean | string[]> = {},
): Promise<LaneOutput> =>
  runLayer(layerOf(layer), episodeOf([], 'egocentric', 3), {
    ...signalContext(config),
    frames: framesOf(frames),
    model: async (surface) =>
      surface === 'detection'
        ? client.session({
            ...{ model, runtime: 'onnx', graphs: { main: join(folder, 'colours.onnx') } },
            contract: findOption(model)!.contract!,
          })
        : null,
  });

interface Frame {
  readonly width_px: number;
  readonly height_px: number;
  readonly objects: number;
  readonly without_outline: number;
  readonly labels: readonly { readonly label: string; readonly pixels: number; readonly rle: Rle }[];
  readonly boxes: readonly { readonly label: string; readonly mask?: Rle | null }[];
}
const framesIn = ({ parts }: LaneOutput) => parts[0].json.frames as unknown as readonly Frame[];

/** Returns the intersection over union of a mask and the true object. */
function agreement(rle: Rle): number {
  const [height, width] = rle.size;
  const bits = readRle(rle);
  let [both, either] = [0, 0];
  for (let x = 0; x < width; x++)
    for (let y = 0; y < height; y++) {
      const truth = isObject((x + 0.5) / width, (y + 0.5) / height);
      const found = bits[x * height + y] === 1;
      if (truth && found) both++;
      if (truth || found) either++;
    }
  return both / either;
}

describe('segmentation', () => {
  it('gives the pixels of an object its class, in px of the stored picture', async () => {
    const output = await annotate('segmentation', [objectFrame(0), objectFrame(1)]);
    for (const { width_px, height_px, labels } of framesIn(output)) {
      expect([width_px, height_px]).toEqual([320, 240]);
      expect(labels.map(({ label }) => label)).toEqual(['cup']);
      const [{ pixels, rle }] = labels;
      expect(rle.size).toEqual([240, 320]);
      expect(readRle(rle).reduce((sum, bit) => sum + bit, 0)).toBe(pixels);
      expect(agreement(rle)).toBeGreaterThan(0.9);
    }
    expect(output.counts).toEqual({ frames: 2, labels: 2 });
    // An ellipse of 0.2 by 0.4 sides.
    expect(output.quality).toBeCloseTo(Math.PI * 0.1 * 0.2, 2);
  });

  it('is the same whatever was outlined before', async () => {
    const alone = await annotate('segmentation', [objectFrame(4)]);
    const after = await annotate('segmentation', [objectFrame(3), objectFrame(4)]);
    expect(framesIn(after)[1]).toEqual(framesIn(alone)[0]);
  });

  it('says where no outline can be told, and invents none', async () => {
    const [frame] = framesIn(await annotate('segmentation', [plainFrame(0, [255, 0, 0])]));
    expect(frame).toMatchObject({ objects: 1, without_outline: 1, labels: [] });
  });

  it('keeps the classes that are asked for', async () => {
    const none = await annotate('segmentation', [objectFrame(0)], { classes: ['person'] });
    expect(framesIn(none)[0].labels).toEqual([]);
    const unknown = annotate('segmentation', [objectFrame(0)], { classes: ['gripper'] });
    await expect(unknown).rejects.toMatchObject({ code: 'invalid_settings' });
  });
});

describe('masks of object labels', () => {
  it('are there where they are asked for', async () => {
    const [asked] = framesIn(await annotate('object_labels', [objectFrame(0)], { masks: true }));
    const [plain] = framesIn(await annotate('object_labels', [objectFrame(0)]));
    expect(asked.boxes).toMatchObject(plain.boxes);
    expect(plain.boxes[0]).not.toHaveProperty('mask');
    const [cup] = asked.boxes.filter(({ label }) => label === 'cup');
    expect(agreement(cup.mask!)).toBeGreaterThan(0.9);
  });

  it('are null where none can be told', async () => {
    const [frame] = framesIn(await annotate('object_labels', [plainFrame(0, [255, 0, 0])], { masks: true }));
    expect(frame.boxes.map(({ mask }) => mask)).toEqual([null]);
  });
});
