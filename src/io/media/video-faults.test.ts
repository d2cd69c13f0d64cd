import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { videoRequest } from '#test/support/camera-requests';
import { type Encoding, encodeVideo, x264 } from '#test/support/encode-video';
import { blackFrame, movingPicture, replaced } from '#test/support/moving-picture';
import { createMediaService } from './media-service.ts';

const [width, height, count] = [160, 120, 150];
const folder = mkdtempSync(join(tmpdir(), 'assay-faults-'));
const service = createMediaService({ children: 2 });
const scene = movingPicture(width, height, count);

afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

let made = 0;
async function examine(frames: readonly Uint8Array[], encoding: Encoding, span = {}) {
  const path = await encoded(frames, encoding);
  return service.examine(videoRequest(path, span));
}

async function encoded(frames: readonly Uint8Array[], encoding: Encoding): Promise<string> {
  const path = join(folder, `${made++}.${encoding.container === 'webm' ? 'webm' : 'mp4'}`);
  await encodeVideo(path, width, height, frames, encoding);
  return path;
}

const encodings: readonly [string, Encoding][] = [
  ['H.264, every second frame a key', x264],
  [
    'H.264 with B-frames and rare keys',
    { ...x264, keyframe_every: 250, b_frames: 3, options: { crf: '23' } },
  ],
  [
    'HEVC',
    {
      ...x264,
      encoder: 'libx265',
      keyframe_every: 60,
      options: { preset: 'ultrafast', 'x265-params': 'log-level=none' },
    },
  ],
  ['AV1', { ...x264, encoder: 'libsvtav1', options: { preset: '12', crf: '30' } }],
  ['MPEG-4', { ...x264, encoder: 'mpeg4', keyframe_every: 12, options: {} }],
  [
    'VP9',
    {
      encoder: 'libvpx-vp9',
      container: 'webm',
      keyframe_every: 60,
      options: { deadline: 'realtime', 'cpu-used': '8', crf: '33', b: '0' },
    },
  ],
];

describe.each(encodings)('%s', (_, encoding) => {
  it('decodes, and a clean scene has no repeats', async () => {
    const { decodable, reason, container, repeats, sampled } = await examine(scene, encoding);
    expect({ decodable, reason }).toEqual({ decodable: 'yes', reason: null });
    expect(container).toMatchObject({ frame_count: count, width_px: width, height_px: height });
    expect(container?.rate_hz).toBeCloseTo(30, 1);
    expect(repeats.pairs_equal).toBe(0);
    expect(repeats.pairs_compared).toBeGreaterThan(5);
    expect(Math.min(...sampled.luma_std)).toBeGreaterThan(20);
  });

  it('shows where the camera froze for a second', async () => {
    const frozen = replaced(scene, 75, 105, () => scene[75]);
    const { repeats } = await examine(frozen, encoding);
    expect(['packets', 'every_frame']).toContain(repeats.method);
    expect(repeats.pairs_compared).toBe(count - 1);
    expect(repeats.pairs_equal).toBeGreaterThan(20);
    expect(repeats.pairs_equal).toBeLessThanOrEqual(29);
    const [{ from_s, to_s }] = repeats.runs;
    expect(from_s).toBeGreaterThan(2.4);
    expect(to_s).toBeLessThan(3.6);
  });

  it('shows which frames are black', async () => {
    const black = replaced(scene, 90, 100, () => blackFrame(width, height));
    const { sampled } = await examine(black, encoding);
    const dark = [...sampled.index].filter((_, i) => sampled.dark_ratio[i] > 0.95);
    expect(dark).toEqual([90, 91, 92, 93, 94, 95, 96, 97, 98, 99]);
  });
});

describe('a span of a file', () => {
  let file = '';
  beforeAll(async () => {
    file = await encoded(scene, x264);
  });

  it('holds the frames from its start to before its end, whatever rounding did to the bounds', async () => {
    for (const slip of [0, 1e-4, -1e-4, 0.003]) {
      const { container, sampled } = await service.examine(
        videoRequest(file, { from_s: 50 / 30 + slip, to_s: 80 / 30 + slip }),
      );
      expect(container).toMatchObject({ frame_count: 30, declared_frame_count: count });
      expect(container?.first_pts_s).toBeCloseTo(50 / 30, 4);
      expect(container?.last_pts_s).toBeCloseTo(79 / 30, 4);
      expect(sampled.index[0]).toBe(0);
      expect(sampled.time_s[0]).toBeCloseTo(-slip, 4);
    }
  });

  it('answers many requests on one file, in any order, as it answers each alone', async () => {
    const spans = Array.from({ length: 15 }, (_, i) => ({ from_s: i / 3, to_s: (i + 1) / 3 }));
    const forward = await Promise.all(spans.map((span) => service.examine(videoRequest(file, span))));
    const backward = await Promise.all(
      spans.toReversed().map((span) => service.examine(videoRequest(file, span))),
    );
    expect(backward.reverse()).toEqual(forward);
    expect(forward.map((one) => one.container?.frame_count)).toEqual(spans.map(() => 10));
  });

  it('beyond the end of the file is not decodable, with the reason', async () => {
    const { decodable, reason } = await service.examine(videoRequest(file, { from_s: 60, to_s: 61 }));
    expect(decodable).toBe('no');
    expect(reason).toBe('no frame between 60 s and 61 s; the last frame of the file is at 4.967 s');
  });

  it('is opened anew when the file was written anew', async () => {
    const path = await encoded(scene.slice(0, 30), x264);
    expect((await service.examine(videoRequest(path))).container?.frame_count).toBe(30);
    await encodeVideo(path, width, height, scene.slice(0, 60), x264);
    expect((await service.examine(videoRequest(path))).container?.frame_count).toBe(60);
  });
});

describe('stamps', () => {
  it('of variable rate show as jitter', async () => {
    const stamps = scene.map((_, i) => (i < 70 ? i : i + 9));
    const { container } = await examine(scene, { ...x264, stamps });
    expect(container?.rate_hz).toBeCloseTo(30, 6);
    expect(container?.pts_jitter_ratio).toBeCloseTo(9, 1);
  });

  it('that begin late keep their place in the file', async () => {
    const stamps = scene.map((_, i) => i + 15);
    const { container, sampled } = await examine(scene, { ...x264, container: 'matroska', stamps });
    expect(container?.first_pts_s).toBeCloseTo(0.5, 3);
    expect(sampled.time_s[0]).toBeCloseTo(0.5, 3);
  });

  it.each(['avi', 'mpegts', 'mov'] as const)('are had from %s too', async (container) => {
    const mpeg4 = { ...x264, encoder: 'mpeg4', keyframe_every: 10, options: {} } as const;
    const evidence = await examine(scene, { ...mpeg4, container });
    expect(evidence).toMatchObject({ decodable: 'yes', container: { frame_count: count } });
    expect(evidence.container?.rate_hz).toBeCloseTo(30, 3);
  });

  it('before an edit list begins are not shown', async () => {
    // With B-frames the muxer writes an edit list, so that the first shown frame is at zero.
    const { container } = await examine(scene, {
      ...x264,
      b_frames: 3,
      keyframe_every: 50,
      options: { crf: '23' },
    });
    expect(container).toMatchObject({ first_pts_s: 0, frame_count: count });
  });
});

describe('damaged files', () => {
  const rare = { ...x264, keyframe_every: 250 };

  it('lose the frames after overwritten bytes, up to the next key frame', async () => {
    const path = await encoded(scene, { ...x264, keyframe_every: 50 });
    const bytes = readFileSync(path);
    bytes.fill(0, Math.floor(bytes.length * 0.5), Math.floor(bytes.length * 0.5) + 1500);
    writeFileSync(path, bytes);
    const evidence = await service.examine(videoRequest(path));
    expect(evidence.decodable).toBe('partial');
    expect(evidence.reason).toMatch(/^\d+ of 150 frames can be decoded; decoder error at 2\.\d{3} s: /);
    expect(evidence.sampled.index.length).toBeGreaterThan(100);
    expect(evidence.sampled.index.at(-1)).toBe(149);
    expect(evidence.container?.complete).toBe(false);
  });

  it('cut before their header are not decodable', async () => {
    const path = await encoded(scene, rare);
    truncateSync(path, 4000);
    const { decodable, reason } = await service.examine(videoRequest(path));
    expect(decodable).toBe('no');
    expect(reason).toContain('moov atom not found');
  });

  it('cut behind their header keep what is there', async () => {
    const path = await encoded(scene, { ...x264, muxer: { movflags: 'faststart' } });
    truncateSync(path, Math.floor(readFileSync(path).length * 0.6));
    const { decodable, container } = await service.examine(videoRequest(path));
    expect(decodable).toBe('partial');
    expect(container?.frame_count).toBeLessThan(count);
    expect(container).toMatchObject({ declared_frame_count: count, complete: false });
  });

  it.each([
    ['', 'the file is empty (0 bytes)'],
    ['a text that is called a video\n', 'the file is text, not media'],
    ['version https://git-lfs.github.com/spec/v1\noid sha256:0\n', 'Git LFS pointer'],
    ['#EXTM3U\n#EXTINF:10,\nother.mp4\n', 'the file is text, not media'],
    ['\0'.repeat(600), 'zero bytes'],
    ['<!DOCTYPE html><html></html>', 'HTML page'],
    ['RIFF\x10\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0', 'cannot open the container'],
  ])('%j: %s', async (content, reason) => {
    const path = join(folder, `bad${made++}.mp4`);
    writeFileSync(path, content, 'latin1');
    const evidence = await service.examine(videoRequest(path));
    expect(evidence.decodable).toBe('no');
    expect(evidence.reason).toContain(reason);
  });
});

describe('thumbnails', () => {
  it('give an overview and the frames that look wrong, with why', async () => {
    const spoiled = replaced(
      replaced(scene, 40, 44, () => blackFrame(width, height)),
      100,
      110,
      () => scene[100],
    );
    const { thumbnails } = await examine(spoiled, x264, { thumbnails: 8 });
    expect(thumbnails).toHaveLength(8);
    const reasons = thumbnails.map((one) => one.why);
    expect(reasons).toContain('overview');
    expect(reasons).toContain('dark');
    expect(reasons).toContain('repeated');
    const dark = thumbnails.find((one) => one.why === 'dark');
    expect(dark?.time_s).toBeCloseTo(40 / 30, 3);
    for (const { jpeg, width_px, height_px } of thumbnails) {
      expect([...jpeg.subarray(0, 2)]).toEqual([0xff, 0xd8]);
      expect([width_px, height_px]).toEqual([width, height]);
    }
  });

  it('at given times are the frames shown there', async () => {
    const path = await encoded(
      replaced(scene, 60, 61, () => blackFrame(width, height)),
      x264,
    );
    const { root, frames } = videoRequest(path);
    const times_s = [2, 0.5, 2, 99];
    const asked = { root, frames, declared_rate_hz: null, width_px: 80 };
    const pictures = await service.framesAt({ ...asked, times_s });
    expect(pictures).toHaveLength(4);
    expect(pictures[0]).toEqual(pictures[2]);
    const [black, bright] = pictures.map(({ jpeg }) => jpeg?.length ?? 0);
    expect(black).toBeGreaterThan(0);
    expect(black).toBeLessThan(bright);
    const between = { ...asked, times_s: [2 + 0.9 / 30] };
    const [nearest] = await service.framesAt(between);
    const [shown] = await service.framesAt({ ...between, pick: 'shown' });
    expect(nearest).toMatchObject({ time_s: expect.closeTo(61 / 30, 5) });
    expect(shown).toMatchObject({ time_s: expect.closeTo(2, 5), jpeg: pictures[0].jpeg });
  });

  it('that are not there say why', async () => {
    const missing = videoRequest(join(folder, 'absent.mp4'));
    const none = { jpeg: null, reason: 'file not found: absent.mp4' };
    expect(await service.framesAt({ ...missing, times_s: [0, 1], width_px: 80 })).toEqual([none, none]);
    const path = join(folder, 'no-video.mp4');
    writeFileSync(path, 'no video');
    const [damaged] = await service.framesAt({ ...videoRequest(path), times_s: [0], width_px: 80 });
    expect(damaged).toEqual({ jpeg: null, reason: 'the file is text, not media' });
  });
});
