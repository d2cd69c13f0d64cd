import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodedVideo } from '#test/support/decoded-video';
import { type Encoding, encodeVideo, x264 } from '#test/support/encode-video';
import { temporaryFolder } from '#test/support/lerobot-set';
import { canCut, writeCut } from './fixes/videos.ts';

const [width, height] = [64, 48];
const frames = 40;

/** A bright block that wanders: no two frames are alike. */
function frame(at: number): Uint8Array {
  const yuv = new Uint8Array((width * height * 3) / 2).fill(128);
  for (let i = 0; i < width * height; i++) yuv[i] = (i * 7 + ((i + at * 3) % 61 < 9 ? 140 : 0)) % 256;
  return yuv;
}

async function encoded(encoding: Encoding): Promise<{ source: string; target: string }> {
  const folder = await temporaryFolder();
  const source = join(folder, 'source.mp4');
  const all = Array.from({ length: frames }, (_, at) => frame(at));
  await encodeVideo(source, width, height, all, encoding);
  return { source, target: join(folder, 'target.mp4') };
}

const later: Encoding = { ...x264, keyframe_every: 10, b_frames: 2, options: { preset: 'medium' } };
const uneven = Array.from({ length: frames }, (_, at) => 10 * at + (at % 3 === 1 ? 4 : 0));

const encodings: readonly (readonly [name: string, encoding: Encoding])[] = [
  ['every second frame a key', x264],
  ['frames that lean on later ones', later],
  ['at a rate of 29.97', { ...later, rate_hz: 30_000, per_frame: 1001 }],
  ['uneven stamps', { ...x264, rate_hz: 300, stamps: uneven }],
  ['AV1', { encoder: 'libsvtav1', container: 'mp4', keyframe_every: 10, options: { preset: '12' } }],
];

describe('a video that is written again without encoding', () => {
  it.each(encodings)('has all pictures, at multiples of the rate: %s', async (_, encoding) => {
    const { source, target } = await encoded(encoding);
    expect(await writeCut(source, target, { frames, rate_hz: 30, keep: () => true })).toBe(true);
    const [before, after] = await Promise.all([source, target].map(decodedVideo));
    expect(after.map(({ hash }) => hash)).toEqual(before.map(({ hash }) => hash));
    for (const [at, { time_s }] of after.entries()) expect(time_s).toBeCloseTo(at / 30, 6);
  });

  it.each([
    ['the first', (shown: number) => shown >= 10],
    ['some between', (shown: number) => shown < 10 || shown >= 30],
    ['the last', (shown: number) => shown < 30],
  ])('lacks the frames that go, %s of them', async (_, keep) => {
    const { source, target } = await encoded(later);
    expect(await canCut(source, frames, keep)).toBe(true);
    expect(await writeCut(source, target, { frames, rate_hz: 30, keep })).toBe(true);
    const kept = (await decodedVideo(source)).filter((_, at) => keep(at)).map(({ hash }) => hash);
    expect((await decodedVideo(target)).map(({ hash }) => hash)).toEqual(kept);
  });

  it('is not written where a frame that stays needs one that goes, or there are others than were counted', async () => {
    const { source, target } = await encoded(later);
    const keep = (shown: number) => shown !== 4;
    expect(await canCut(source, frames, keep)).toBe(false);
    expect(await writeCut(source, target, { frames, rate_hz: 30, keep })).toBe(false);
    expect(await canCut(source, frames - 1, () => true)).toBe(false);
    expect(await canCut(join(source, 'none.mp4'), frames, () => true)).toBe(false);
  });
});
