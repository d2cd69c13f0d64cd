import { describe, expect, it } from 'vitest';
import { canonicalJson } from '#core';
import { loadOpenCv } from '#labels/models';
import { episodeOf } from '#test/annotation/known-motion';
import { framesContext } from '#test/support/video-frames';
import type { FrameBatch, LaneFrame, LaneOutput } from '../lane.ts';
import { layerOf, runLayer } from '../layer-registry.ts';
import { computeConsistency, FlowPlanes, unitsPerPixel } from './optical-flow.ts';

const [width_px, height_px] = [96, 64];

/** A picture of waves in all directions, shifted by a number of px. */
function picture([dx, dy]: readonly [number, number], size = [width_px, height_px]): Uint8Array {
  const [width, height] = size;
  const rgb = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [(i % width) - dx, Math.floor(i / width) - dy];
    const level = 128 + 50 * Math.sin(x / 5 + y / 13) + 40 * Math.cos(y / 6 - x / 17);
    rgb.fill(Math.round(level), 3 * i, 3 * i + 3);
  }
  return rgb;
}

const frame = (row: number, at: readonly [number, number], camera = 'front'): LaneFrame => ({
  ...{ camera, row, time_s: row / 2, width_px, height_px, stored_px: [width_px, height_px] as const },
  rgb: picture(at),
});
const batch = (frames: readonly LaneFrame[], more: Partial<FrameBatch> = {}): FrameBatch => ({
  ...{ camera: frames[0]?.camera ?? 'front', frames, missing: [], unreadable: null },
  ...more,
});

const row = layerOf('optical_flow');
const run = (batches: readonly FrameBatch[]): Promise<LaneOutput> =>
  runLayer(
    row,
    episodeOf([], 'egocentric', 2),
    framesContext(async function* () {
      yield* batches;
    }),
  );

interface CameraJson {
  readonly camera: string;
  readonly reason: string | null;
  readonly missing: readonly unknown[];
  readonly pairs: Readonly<Record<string, readonly (number | string | null)[]>>;
}
const camerasOf = ({ parts }: LaneOutput) => parts[0].json.cameras as unknown as readonly CameraJson[];

/** Displacement in px at a pixel of a pair that lies at the start of a part. */
function flowAt(output: LaneOutput, part: string, x: number, y: number): [number, number] {
  const found = output.parts.find(({ name }) => name === part)!;
  if (!('bytes' in found)) throw new Error('no planes');
  const units = new DataView(found.bytes.buffer, found.bytes.byteOffset);
  const at = y * width_px + x;
  const value = (i: number) => units.getInt16(2 * i, true) / unitsPerPixel;
  return [value(at), value(at + width_px * height_px)];
}

describe('flow', () => {
  it('is how far a picture was moved, and back', async () => {
    const output = await run([batch([frame(0, [0, 0]), frame(1, [2, -1])])]);
    const [x, y] = flowAt(output, 'flow-0000', 48, 32);
    expect(Math.abs(x - 2)).toBeLessThan(0.1);
    expect(Math.abs(y + 1)).toBeLessThan(0.1);
    expect(output.quality).toBeGreaterThan(0.9);
    expect(output.counts).toEqual({ cameras: 1, pairs: 1 });
    const [{ pairs }] = camerasOf(output);
    expect(pairs).toMatchObject({ from_row: [0], to_row: [1], to_s: [0.5], offset_bytes: [0] });
    expect(Math.abs(Number(pairs.mean_px[0]) - Math.hypot(2, 1))).toBeLessThan(0.2);
    expect(JSON.stringify(output.parts[0].json)).toBe(canonicalJson(output.parts[0].json));
  });

  it('comes back less where one picture has nothing of the other', async () => {
    const blocks = (seed: number) =>
      Uint8Array.from({ length: width_px * height_px * 3 }, (_, i) => {
        const [x, y] = [Math.floor(i / 3) % width_px, Math.floor(i / 3 / width_px)];
        return (Math.imul((x >> 3) + 131 * (y >> 3) + seed, 2654435761) >>> 13) & 255;
      });
    const frames = [7, 70_001].map((seed, at) => ({ ...frame(at, [0, 0]), rgb: blocks(seed) }));
    const moved = [frame(0, [0, 0]), frame(1, [2, -1])];
    const [unlike, alike] = [await run([batch(frames)]), await run([batch(moved)])];
    expect(unlike.quality).toBeLessThan(alike.quality! - 0.1);
  });

  it('is the same bytes again', async () => {
    const batches = [batch([frame(0, [0, 0]), frame(1, [1, 1]), frame(2, [3, 1])])];
    expect(await run(batches)).toEqual(await run(batches));
  });

  it('joins only frames of one camera and size between which none is missing', async () => {
    const missing = [{ camera: 'front', row: 3, time_s: 1.5, reason: 'damaged' }];
    const small = { ...frame(6, [0, 0]), width_px: 48, rgb: picture([0, 0], [48, height_px]) };
    const output = await run([
      batch([frame(0, [0, 0]), frame(1, [1, 0])]),
      batch([frame(2, [2, 0]), frame(4, [3, 0])], { missing }),
      batch([frame(5, [4, 0]), small]),
      batch([frame(0, [0, 0], 'wrist'), frame(1, [0, 0], 'wrist')]),
    ]);
    const [front, wrist] = camerasOf(output);
    expect(front).toMatchObject({ missing: [{ row: 3, reason: 'damaged' }], reason: null });
    expect(front.pairs).toMatchObject({ from_row: [0, 1, 4], to_row: [1, 2, 5] });
    const size = 4 * width_px * height_px;
    expect(front.pairs.offset_bytes).toEqual([0, size, 2 * size]);
    expect(wrist.pairs).toMatchObject({
      from_row: [0],
      to_row: [1],
      consistent_fraction: [1],
      left_fraction: [0],
    });
    expect(output.counts).toEqual({ cameras: 2, pairs: 4 });
  });

  it('says why there is none', async () => {
    const lost = await run([
      batch([], { unreadable: 'no video at all' }),
      batch([frame(0, [0, 0], 'wrist')]),
    ]);
    expect(camerasOf(lost)).toMatchObject([
      { camera: 'front', reason: 'no video at all', pairs: { from_row: [] } },
      { camera: 'wrist', reason: 'no two consecutive frames of the same size' },
    ]);
    expect(lost).toMatchObject({ quality: null, quality_reason: expect.stringContaining('no camera') });
    expect(lost.parts).toHaveLength(1);
  });

  it('takes no more memory of OpenCV for many pictures than for few', async () => {
    const { cv } = await loadOpenCv();
    const many = Array.from({ length: 120 }, (_, i) => frame(i, [i % 3, 0]));
    await run([batch(many.slice(0, 3))]);
    const before = cv.HEAPU8.length;
    for (let time = 0; time < 2; time++) await run([batch(many)]);
    expect(cv.HEAPU8.length).toBe(before);
  }, 120_000);

  it('leaves nothing behind that ends the process', async () => {
    const listeners = () =>
      ['uncaughtException', 'unhandledRejection'].flatMap((event) => process.listeners(event as 'exit'));
    // Other tests of this process may have loaded other libraries.
    const before = new Set(listeners());
    await loadOpenCv();
    expect(listeners().filter((listener) => !before.has(listener))).toEqual([]);
  });
});

describe('shares of pixels', () => {
  const size = { width_px: 4, height_px: 1 };
  const along = (...x: number[]) => Float32Array.from(x.flatMap((value) => [value, 0]));

  it('tell what comes back within a pixel from what does not, and from what leaves', () => {
    const forward = along(1, 1, 1, 1);
    expect(computeConsistency({ forward, backward: along(0, -1, -2.5, -1) }, size)).toEqual({
      consistent: 0.5,
      left: 0.25,
    });
    expect(
      computeConsistency({ forward: along(0.5, Number.NaN, 0, 0), backward: along(0, -1, 0, 0) }, size),
    ).toEqual({ consistent: 0.75, left: 0.25 });
  });
});

describe('planes', () => {
  it('are kept up to a bound, all x before all y, the nearest that fits', () => {
    const planes = new FlowPlanes(16);
    const places = [Float32Array.of(1, -2, 5000, -5000), Float32Array.of(0, 0, 0, 0), Float32Array.of(1, 1)];
    expect(places.map((flow) => planes.add(flow))).toEqual([
      { part: 'flow-0000', offset_bytes: 0 },
      { part: 'flow-0000', offset_bytes: 8 },
      null,
    ]);
    const [{ bytes }] = planes.parts() as unknown as readonly { bytes: Buffer }[];
    const units = Array.from({ length: 4 }, (_, i) => bytes.readInt16LE(2 * i));
    expect(units).toEqual([32, 32767, -64, -32768]);
  });
});
