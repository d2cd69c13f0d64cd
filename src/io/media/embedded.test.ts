import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { FormatContext, Packet } from 'node-av/lib';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import type { Frames, PictureEncoding, RawLayout, SampledPicture } from '#core/episode';
import { type Encoding, encodeVideo } from '#test/support/encode-video';
import { movingPicture } from '#test/support/moving-picture';
import { createMediaService } from './media-service.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-embedded-'));
const service = createMediaService({ children: 1 });
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

const [width, height] = [96, 64];
const scene = movingPicture(width, height, 60).map((frame) => frame.subarray(0, width * height));

function examine(encoding: PictureEncoding, kept: readonly SampledPicture[], all: readonly Uint8Array[]) {
  const payloads = {
    crc32: Uint32Array.from(all, (bytes) => crc32(bytes)),
    bytes: Uint32Array.from(all, (bytes) => bytes.length),
  };
  const frames: Frames = {
    locator: { type: 'embedded', path: 'a.mcap', channel: '/camera', encoding },
    declared_size_px: null,
    declared_codec: null,
    payloads,
    kept,
  };
  return service.examine({
    root: folder,
    frames,
    declared_rate_hz: 10,
    expected_frames: null,
    thumbnails: 2,
  });
}

const keep = (all: readonly Uint8Array[], every: number, layout?: RawLayout): SampledPicture[] =>
  all
    .map((bytes, index) => ({
      index,
      time_s: index / 10,
      bytes,
      ...(layout === undefined ? {} : { layout }),
    }))
    .filter(({ index }) => index % every < 2);

describe('JPEGs inside a recording', () => {
  it('are measured by sample, their repeats by payload', async () => {
    const jpegs = await Promise.all(
      scene.map((_, i) => {
        const luma = scene[i >= 20 && i < 35 ? 20 : i];
        return sharp(luma, { raw: { width, height, channels: 1 } })
          .jpeg()
          .toBuffer();
      }),
    );
    const evidence = await examine('jpeg', keep(jpegs, 8), jpegs);
    expect(evidence).toMatchObject({
      decodable: 'yes',
      reason: null,
      container: { codec: 'jpeg', width_px: width, height_px: height, frame_count: 60, rate_hz: null },
    });
    expect(evidence.repeats).toEqual({
      method: 'payload',
      pairs_compared: 59,
      pairs_equal: 14,
      places: [[2, 3.4]],
      place_count: 1,
      runs: [
        { from_s: 2, to_s: expect.closeTo(3.4, 6), frames: 14, equal: 14, motion_before: null, leap: 0 },
      ],
      in_motion: null,
    });
    expect([...evidence.sampled.index]).toEqual([0, 1, 8, 9, 16, 17, 24, 25, 32, 33, 40, 41, 48, 49, 56, 57]);
    expect(evidence.thumbnails).toHaveLength(2);
  });

  it('that are damaged or empty are counted', async () => {
    const jpeg = await sharp(scene[0], { raw: { width, height, channels: 1 } })
      .jpeg()
      .toBuffer();
    const all = [jpeg, jpeg.subarray(0, 200), jpeg, new Uint8Array(0)];
    const evidence = await examine('jpeg', keep(all, 1), all);
    expect(evidence.decodable).toBe('partial');
    expect(evidence.reason).toMatch(/^2 of 3 sampled images can be decoded; image 1: JPEG: /);
    const empty = [new Uint8Array(0), new Uint8Array(0)];
    expect(await examine('jpeg', keep(empty, 1), empty)).toMatchObject({ decodable: 'no' });
  });
});

describe('raw pictures', () => {
  const layoutOf = (
    encoding: string,
    bytes_per_pixel: number,
    step = width * bytes_per_pixel,
  ): RawLayout => ({
    encoding,
    width,
    height,
    step,
  });
  const grey = scene[0];
  const colours = (order: readonly number[]) =>
    Uint8Array.from({ length: 3 * grey.length }, (_, i) => {
      const value = grey[Math.floor(i / 3)];
      return [value, 255 - value, value >> 1][order[i % 3]];
    });
  const mean = async (encoding: string, bytes: Uint8Array, size: number) => {
    const { sampled, decodable, reason } = await examine('raw', keep([bytes], 1, layoutOf(encoding, size)), [
      bytes,
    ]);
    expect({ decodable, reason }).toEqual({ decodable: 'yes', reason: null });
    return sampled.luma_mean[0];
  };
  const mean_grey = grey.reduce((sum, value) => sum + value, 0) / grey.length;

  it('in grey, Bayer and YUV give their luma', async () => {
    expect(await mean('mono8', grey, 1)).toBeCloseTo(mean_grey, 3);
    expect(await mean('bayer_rggb8', grey, 1)).toBeCloseTo(mean_grey, 3);
    const interleaved = (first: number) =>
      Uint8Array.from({ length: 2 * grey.length }, (_, i) => (i % 2 === first ? grey[i >> 1] : 128));
    expect(await mean('yuv422_yuy2', interleaved(0), 2)).toBeCloseTo(mean_grey, 3);
    expect(await mean('yuv422', interleaved(1), 2)).toBeCloseTo(mean_grey, 3);
  });

  it('in RGB and BGR give the same', async () => {
    const rgb = await mean('rgb8', colours([0, 1, 2]), 3);
    expect(await mean('bgr8', colours([2, 1, 0]), 3)).toBeCloseTo(rgb, 3);
    expect(rgb).toBeCloseTo(0.299 * mean_grey + 0.587 * (255 - mean_grey) + 0.114 * (mean_grey / 2), 0);
  });

  it('of depth use the range they have', async () => {
    const depth_mm = Uint16Array.from(grey, (value) => 500 + 10 * value);
    expect(await mean('16UC1', new Uint8Array(depth_mm.buffer), 2)).toBeGreaterThan(60);
    const depth_m = Float32Array.from(grey, (value, i) => (i % 7 === 0 ? Number.NaN : value / 100));
    expect(await mean('32FC1', new Uint8Array(depth_m.buffer), 4)).toBeGreaterThan(60);
  });

  it('with padded rows skip the padding, and too few bytes are said', async () => {
    const padded = new Uint8Array(height * 128);
    for (let y = 0; y < height; y++) padded.set(grey.subarray(y * width, (y + 1) * width), y * 128);
    const { sampled } = await examine('raw', keep([padded], 1, layoutOf('mono8', 1, 128)), [padded]);
    expect(sampled.luma_mean[0]).toBeCloseTo(mean_grey, 3);
    const short = await examine('raw', keep([grey], 1, layoutOf('rgb8', 3)), [grey]);
    expect(short).toMatchObject({
      decodable: 'no',
      reason: 'image 0: a raw image of 96x64 px (rgb8) has only 6144 of 18432 bytes',
    });
    const odd = await examine('raw', keep([grey], 1, layoutOf('foo12', 1)), [grey]);
    expect(odd).toMatchObject({ decodable: 'not_measured' });
  });
});

describe.each([
  ['h264', { encoder: 'libx264', container: 'mpegts', keyframe_every: 10, options: { preset: 'ultrafast' } }],
  [
    'h265',
    {
      encoder: 'libx265',
      container: 'mpegts',
      keyframe_every: 10,
      options: { preset: 'ultrafast', 'x265-params': 'log-level=none' },
    },
  ],
  [
    'vp9',
    {
      encoder: 'libvpx-vp9',
      container: 'webm',
      keyframe_every: 10,
      options: { deadline: 'realtime', 'cpu-used': '8' },
    },
  ],
] as const satisfies readonly [PictureEncoding, Encoding][])(
  'compressed video (%s) inside a recording',
  (codec, encoding) => {
    it('decodes run by run from key frames', async () => {
      const path = join(folder, `${codec}.video`);
      await encodeVideo(path, width, height, movingPicture(width, height, 40), encoding);
      const units = unitsOf(path);
      expect(units).toHaveLength(40);
      const kept = units
        .map((bytes, index) => ({ index, time_s: index / 10, bytes }))
        .filter(({ index }) => index < 5 || (index >= 20 && index < 26));
      const evidence = await examine(codec, kept, units);
      expect(evidence).toMatchObject({
        decodable: 'yes',
        container: { codec, width_px: width, frame_count: 40 },
      });
      expect([...evidence.sampled.index]).toEqual([0, 1, 2, 3, 4, 20, 21, 22, 23, 24, 25]);
      expect(evidence.repeats).toMatchObject({ method: 'sampled', pairs_compared: 9, pairs_equal: 0 });
      expect(evidence.thumbnails).toHaveLength(2);
    });
  },
);

describe('a frame of an embedded stream', () => {
  const show = async (encoding: PictureEncoding, kept: readonly SampledPicture[], time_s: number) => {
    const frames: Frames = {
      locator: { type: 'embedded', path: 'a.mcap', channel: '/camera', encoding },
      declared_size_px: null,
      declared_codec: null,
      kept,
    };
    const about = { root: folder, frames, declared_rate_hz: 10, width_px: 96, pick: 'shown' as const };
    const [picture] = await service.framesAt({ ...about, times_s: [time_s] });
    return picture;
  };
  const lumaOf = async (jpeg: Uint8Array | null) =>
    new Uint8Array((await sharp(jpeg!).extractChannel(0).raw().toBuffer()).buffer);
  const distance = (a: Uint8Array, b: Uint8Array) =>
    a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0) / a.length;

  it('is the last one until then', async () => {
    const raw = keep(scene.slice(0, 3), 1, { encoding: 'mono8', width, height, step: width });
    const picture = await show('raw', raw, 0.19);
    expect(picture).toMatchObject({ time_s: 0.1 });
    const distances = [0, 1, 2].map(async (i) => distance(await lumaOf(picture.jpeg), scene[i]));
    const [before, shown, after] = await Promise.all(distances);
    expect(shown).toBeLessThan(Math.min(before, after) / 2);
  });

  it('in compressed video is decoded from the units before it', async () => {
    const path = join(folder, 'shown.video');
    const options = { preset: 'ultrafast', bf: '2' };
    const frames = movingPicture(width, height, 20);
    await encodeVideo(path, width, height, frames, {
      ...{ encoder: 'libx264', container: 'mpegts', keyframe_every: 10, options },
    });
    const units = unitsOf(path).map((bytes, index) => ({ index, time_s: index / 10, bytes }));
    const picture = await show('h264', units.slice(0, 6), 0.5);
    expect(picture).toMatchObject({ time_s: 0.5, jpeg: expect.any(Uint8Array) });
    const shown = await lumaOf(picture.jpeg);
    const distances = frames.map((frame) => distance(shown, frame.subarray(0, width * height)));
    expect(Math.abs(distances.indexOf(Math.min(...distances)) - 5)).toBeLessThanOrEqual(2);
  });

  it('that lacks the units before it says so', async () => {
    const units = unitsOf(join(folder, 'shown.video')).map((bytes, index) => ({
      index,
      time_s: index / 10,
      bytes,
    }));
    expect(await show('h264', units.slice(5, 6), 0.5)).toMatchObject({
      jpeg: null,
      reason: expect.any(String),
    });
  });
});

/** The packets of a file, as a recorder would put them into messages. */
function unitsOf(path: string): Uint8Array[] {
  const format = new FormatContext();
  format.openInputSync(path);
  const packet = new Packet();
  packet.alloc();
  const units: Uint8Array[] = [];
  while (format.readFrameSync(packet) >= 0) {
    units.push(new Uint8Array(packet.data!));
    packet.unref();
  }
  packet.free();
  format.closeInputSync();
  return units;
}
