import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { videoRequest } from '#test/support/camera-requests';
import { type Encoding, encodeVideo, x264 } from '#test/support/encode-video';
import { blackFrame, movingPicture, replaced } from '#test/support/moving-picture';
import type { ByteRange } from './media-port.ts';
import { createMediaService } from './media-service.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-parts-'));
const service = createMediaService({ children: 1 });
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

const [width, height] = [160, 120];
const moving = movingPicture(width, height, 400);

async function encoded(name: string, encoding: Encoding, frames = moving): Promise<string> {
  const path = join(folder, name);
  await encodeVideo(path, width, height, frames, encoding);
  return path;
}

/** What is said of a file of which only what is wanted is there, and the share of its bytes that was. */
async function inParts(path: string, span = {}) {
  const bytes = readFileSync(path);
  const hollow = join(folder, `hollow-${basename(path)}`);
  writeFileSync(hollow, '');
  truncateSync(hollow, bytes.length);
  let parts: ByteRange[] = [];
  for (;;) {
    const answer = await service.examineParts({ ...videoRequest(hollow, span), parts });
    const there = parts.reduce((sum, [from, to]) => sum + to - from, 0) / bytes.length;
    if (!('wants' in answer)) return { evidence: answer, share: there };
    if (answer.wants === null) return { evidence: null, share: 1 };
    await using file = await open(hollow, 'r+');
    for (const [from, to] of answer.wants) await file.write(bytes.subarray(from, to), 0, to - from, from);
    parts = merged([...parts, ...answer.wants]);
  }
}

function merged(parts: readonly ByteRange[]): ByteRange[] {
  const all: [number, number][] = [];
  for (const [from, to] of [...parts].sort((a, b) => a[0] - b[0])) {
    const last = all.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
  }
  return all;
}

const whole = (path: string, span = {}) => service.examine(videoRequest(path, span));
const av1: Encoding = {
  encoder: 'libsvtav1',
  container: 'mp4',
  keyframe_every: 2,
  options: { preset: '12', crf: '30' },
};

describe('a video of which only parts are there', () => {
  it.each([
    ['h264.mp4', x264],
    ['rare-keys.mp4', { ...x264, keyframe_every: 100, b_frames: 2 }],
    ['index-first.mp4', { ...x264, muxer: { movflags: 'faststart' } }],
    ['av1.mp4', av1],
    [
      'h265.mp4',
      { ...x264, encoder: 'libx265', options: { preset: 'ultrafast', 'x265-params': 'log-level=none' } },
    ],
  ] as const)('gives the evidence of the whole of %s', async (name, encoding) => {
    const path = await encoded(name, encoding);
    const { evidence, share } = await inParts(path, { thumbnails: 3 });
    expect(evidence).toEqual(await whole(path, { thumbnails: 3 }));
    expect(share).toBeLessThan(0.5);
  });

  it('gives the evidence of one episode of a file with many', async () => {
    const path = await encoded('many.mp4', x264);
    const span = { from_s: 4, to_s: 9 };
    const { evidence, share } = await inParts(path, span);
    expect(evidence).toEqual(await whole(path, span));
    expect(share).toBeLessThan(0.3);
  });

  it('takes every frame of an episode that is in doubt', async () => {
    const frames = replaced(moving, 0, 60, () => blackFrame(width, height));
    const path = await encoded('black.mp4', x264, frames);
    const span = { from_s: 0, to_s: 5 };
    const { evidence, share } = await inParts(path, span);
    expect(evidence).toEqual(await whole(path, span));
    expect(share).toBeLessThan(0.8);
  });

  it('wants the whole of what its index does not tell, or what is damaged where it is looked at', async () => {
    const sound = await encoded('sound.mp4', x264);
    const spoiled = (name: string, spoil: (path: string, bytes: Buffer) => void) => {
      const path = join(folder, name);
      copyFileSync(sound, path);
      spoil(path, readFileSync(sound));
      return path;
    };
    const paths = [
      await encoded('mpeg4.mp4', { ...x264, encoder: 'mpeg4', options: {} }),
      await encoded('matroska.mkv', { ...x264, container: 'matroska' }),
      await encoded('fragments.mp4', { ...x264, muxer: { movflags: 'frag_keyframe+empty_moov' } }),
      spoiled('short.mp4', (path, bytes) => truncateSync(path, bytes.length >> 1)),
      spoiled('zeros.mp4', (path, bytes) => writeFileSync(path, bytes.fill(0, 200, 4000))),
      spoiled('noise.mp4', (path, bytes) => writeFileSync(path, bytes.fill(0xa5, 60, 5000))),
      spoiled('text.mp4', (path) => writeFileSync(path, 'no video '.repeat(20_000))),
    ];
    for (const path of paths) expect([path, (await inParts(path)).evidence]).toEqual([path, null]);
  });
});

const data = '../shared/data';
const real = [
  ['lerobot-v20-gr00t-pick-place/videos/chunk-000/observation.images.ego_view/episode_000000.mp4', 0.2],
  ['video/torchcodec/test/resources/h264_10bits.mp4', 1],
  ['video/torchcodec/test/resources/h265_video.mp4', 1],
  ['video/torchcodec/test/resources/av1_video.mkv', 1],
] as const;

describe.skipIf(!existsSync(data))('real videos in parts (needs ../shared/data)', () => {
  it.each(real)('%s gives the evidence of the whole', async (name, most) => {
    const path = join(data, name);
    const { evidence, share } = await inParts(path);
    expect(share).toBeLessThanOrEqual(most);
    if (evidence !== null) expect(evidence).toEqual(await whole(path));
  });
});
