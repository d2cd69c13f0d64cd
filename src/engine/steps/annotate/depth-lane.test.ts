import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '#core';
import { discover } from '#formats';
import { type LaneOutput, layerOf } from '#labels/annotation';
import { findOption, ModelHost } from '#labels/models';
import { episodeOf } from '#test/annotation/known-motion';
import { channelMeans, depthOfPictures } from '#test/support/onnx-model';
import { type RgbdFrame, rgbdMcap } from '#test/support/rgbd-mcap';
import type { EpisodeInput } from './episode-inputs.ts';
import { LaneResources } from './lane-resources.ts';
import { runLanes } from './run-lanes.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-depth-lane-'));
const host = new ModelHost();
const resources = new LaneResources(host.socket);
const [width, height] = [56, 42];
const k = [61.5, 0, 27.5, 0, 61.25, 20.5, 0, 0, 1];
const random = seededRandom(18);

/** A plane that comes nearer, with a hole; two frames of a second, five of them. */
const frames = (floats: boolean): RgbdFrame[] =>
  Array.from({ length: 5 }, (_, at) => {
    const mm = (i: number) => (i % 97 === 0 ? 0 : 800 + (i % width) * 10 - at * 5);
    const length = width * height;
    return {
      time_s: at / 2,
      rgb: Uint8Array.from({ length: 3 * length }, () => random.integer(0, 255)),
      depth: floats
        ? Float32Array.from({ length }, (_, i) => (mm(i) === 0 ? Number.NaN : mm(i) / 1000))
        : Uint16Array.from({ length }, (_, i) => mm(i)),
    };
  });
const recorded = { whole: frames(false), floats: frames(true) };

beforeAll(async () => {
  for (const [name, own] of Object.entries(recorded)) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'camera.mcap'), await rgbdMcap([width, height], k, own));
  }
  writeFileSync(join(folder, 'depth.onnx'), depthOfPictures(18));
  writeFileSync(join(folder, 'means.onnx'), channelMeans());
});
afterAll(async () => {
  await resources.close();
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The recording as a run reads it, with or without its depth stream. */
async function inputOf(name: string, withDepth: boolean): Promise<EpisodeInput> {
  const [found] = (await discover(join(folder, name))).datasets;
  const { dataset, ...recognised } = found;
  try {
    for await (const episode of dataset.read(dataset.units[0], {})) {
      if ('unreadable' in episode) throw new Error('unreadable');
      const streams = episode.streams.filter(({ role }) => withDepth || role !== 'depth');
      const { calibrations, index, start_ns, duration_s } = episode;
      const of = (role: string) =>
        streams.flatMap((stream) =>
          stream.role === role && stream.frames !== undefined
            ? [{ stream, frames: { ...stream.frames, kept: undefined } as never }]
            : [],
        );
      return {
        episode: { ...episodeOf(streams, 'teleop', duration_s), calibrations },
        facts: { episode: name },
        recording: () => ({
          recordings: { kind: 'folder', path: join(folder, name) },
          ...{ dataset_path: '', recognised, index, start_ns, file_sizes: new Map() },
          ...{ cameras: of('camera'), depths: of('depth') },
        }),
        stored: {},
        output: async () => null,
      };
    }
  } finally {
    await dataset.close();
  }
  throw new Error('no episode');
}

async function run(input: EpisodeInput, model: string | null): Promise<LaneOutput> {
  const models =
    model === null
      ? {}
      : {
          depth: {
            ...{ model: `test/${model}`, runtime: 'onnx' as const },
            graphs: { main: join(folder, `${model}.onnx`) },
            contract: findOption('onnx-community/depth-anything-v2-small')!.contract!,
          },
        };
  const due = [{ row: layerOf('depth'), config: { sample_hz: 1, max_side_px: 518 }, models }];
  const tools = { resources, signal: new AbortController().signal, progress: () => {} };
  for await (const { outcome: told } of runLanes(due, input, tools)) {
    if ('thrown' in told) throw told.thrown;
    return told.output;
  }
  throw new Error('nothing came');
}

interface Artifact {
  readonly source: string;
  readonly model: string | null;
  readonly cameras: readonly {
    readonly kind: string;
    readonly unit: string | null;
    readonly frames: readonly { readonly time_s: number; readonly scale: number }[];
  }[];
}

const artifact = ({ parts }: LaneOutput) => parts[0].json as unknown as Artifact;
const samplesOf = async ({ parts }: LaneOutput, at: number): Promise<Uint16Array> => {
  const part = parts[at + 1];
  if (!('bytes' in part)) throw new Error('no bytes');
  const raw = sharp(part.bytes).toColourspace('grey16').raw({ depth: 'ushort' });
  const data = await raw.toBuffer();
  return new Uint16Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength));
};

describe('depth', () => {
  it('that was recorded in whole millimetres passes through, with its unit and intrinsics', async () => {
    const output = await run(await inputOf('whole', true), null);
    const { source, model, cameras } = artifact(output);
    expect([source, model]).toEqual(['recorded', null]);
    expect(cameras).toHaveLength(1);
    expect(cameras[0]).toMatchObject({
      ...{ camera: '/camera/depth/image_rect_raw', encoding: '16UC1', unit: 'm', kind: 'recorded' },
      intrinsics: { fx_px: 61.5, fy_px: 61.25, cx_px: 27.5, cy_px: 20.5, width_px: width, height_px: height },
      intrinsics_reason: null,
    });
    expect(cameras[0].frames.map(({ time_s }) => time_s)).toEqual([0, 1, 2]);
    expect(output.counts).toEqual({ cameras: 1, depth_maps: 3 });
    for (const [at, row] of [0, 2, 4].entries()) {
      expect(cameras[0].frames[at]).toMatchObject({ row, scale: 0.001, offset: 0, width_px: width });
      expect(await samplesOf(output, at)).toEqual(recorded.whole[row].depth);
    }
    // The holes agree with nothing.
    expect(output.quality).toBeCloseTo(1 - 1 / 97, 3);
  });

  it('that was recorded in metres keeps them to half a millimetre, and holes stay holes', async () => {
    const output = await run(await inputOf('floats', true), null);
    const { scale } = artifact(output).cameras[0].frames[0];
    const samples = await samplesOf(output, 0);
    for (const [i, metres] of recorded.floats[0].depth.entries())
      if (Number.isNaN(metres)) expect(samples[i]).toBe(0);
      else expect(Math.abs(samples[i] * scale - metres)).toBeLessThanOrEqual(0.000501);
  });

  it('is estimated by a model where none was recorded, and said to be relative', async () => {
    const input = await inputOf('whole', false);
    const output = await run(input, 'depth');
    const { source, model, cameras } = artifact(output);
    expect([source, model, cameras[0].kind, cameras[0].unit]).toEqual([
      'model',
      'test/depth',
      'relative_inverse',
      null,
    ]);
    expect(output.counts).toEqual({ cameras: 1, depth_maps: 3 });
    expect(artifact(await run(input, 'depth'))).toEqual(artifact(output));
  });

  it('is refused where there is neither, and by a model that gives no depth maps', async () => {
    const input = await inputOf('whole', false);
    await expect(run(input, null)).rejects.toMatchObject({ code: 'layer_unavailable' });
    const wrong = run(input, 'means');
    await expect(wrong).rejects.toMatchObject({
      code: 'layer_unavailable',
      message: expect.stringContaining('expected a depth model'),
    });
  });
});
