import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeVideo, x264 } from '#test/support/encode-video';
import { movingPicture } from '#test/support/moving-picture';
import { createMediaService, type FilmRequest } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-film-'));
const service = createMediaService({ children: 1 });
const [width, height, count] = [64, 48, 90];

beforeAll(async () => {
  const frames = () => movingPicture(width, height, count);
  const settings = { keyframe_every: 30, b_frames: 2 };
  await encodeVideo(join(folder, 'h264.mp4'), width, height, frames(), { ...x264, ...settings });
}, 60_000);
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

const target = join(folder, 'film.mp4');
type Part = Partial<Omit<FilmRequest, 'frames'>> & { readonly span?: readonly [number, number | null] };
const ofVideo = (path: string, { span = [0, null], ...part }: Part = {}): FilmRequest => ({
  frames: {
    locator: { type: 'video', path, from_s: span[0], to_s: span[1], expected_frames: null },
    declared_size_px: null,
    declared_codec: null,
  },
  ...{ root: folder, declared_rate_hz: null, stamps_s: null, from_s: 0, until_s: null },
  ...{ codec: 'recorded', longest_side_px: 640, target },
  ...part,
});

/** Frames that a player shows, and when. */
async function shown(path = target) {
  const evidence = await service.examine({
    root: '/',
    frames: ofVideo(path).frames,
    declared_rate_hz: null,
    expected_frames: null,
    thumbnails: 0,
    pictures: 'all',
  });
  const { decodable, sampled, container } = evidence;
  return { decodable, times_s: [...sampled.time_s], luma: [...sampled.luma_mean], codec: container?.codec };
}

describe('a film of a span', () => {
  it('has the recording’s own packets, and shows the first frame of the span at 0', async () => {
    const film = await service.film(ofVideo('h264.mp4', { span: [0.5, 2] }));
    expect(film).toMatchObject({ made: 'copied', frames: 45, size_px: [width, height], undecoded: null });
    expect(film.starts_s).toBeCloseTo(0, 3);
    expect(film.mime).toMatch(/^video\/mp4; codecs="avc1\.[0-9A-F]{6}"$/);
    const [cut, whole] = [await shown(), await shown(join(folder, 'h264.mp4'))];
    expect(cut.decodable).toBe('yes');
    expect(cut.times_s).toHaveLength(45);
    expect(cut.times_s[0]).toBeCloseTo(0, 6);
    expect(cut.luma).toEqual(whole.luma.slice(15, 60));
  });

  it('is part of an episode where a part is asked for', async () => {
    const film = await service.film(ofVideo('h264.mp4', { span: [0.5, 2.5], from_s: 1, until_s: 1.5 }));
    expect([film.starts_s.toFixed(3), film.frames]).toEqual(['1.000', 15]);
    const { luma } = await shown(join(folder, 'h264.mp4'));
    expect((await shown()).luma).toEqual(luma.slice(45, 60));
  });

  it('is said of before it is made', async () => {
    const facts = await service.filmFacts(ofVideo('h264.mp4', { span: [1, 2] }));
    expect(facts).toMatchObject({ codec: 'h264', frames: 30, size_px: [width, height], rate_hz: 30 });
    expect(facts.mime).toMatch(/avc1/);
    expect(facts.last_s).toBeCloseTo(29 / 30, 3);
  });

  it('says why there is none', async () => {
    writeFileSync(join(folder, 'text.mp4'), 'no video at all');
    await expect(service.film(ofVideo('text.mp4'))).rejects.toMatchObject({
      code: 'media_failed',
      message: expect.stringContaining('text, not media'),
    });
    await expect(service.film(ofVideo('gone.mp4'))).rejects.toMatchObject({ code: 'media_failed' });
    await expect(service.film(ofVideo('h264.mp4', { from_s: 50 }))).rejects.toMatchObject({
      code: 'media_failed',
    });
  });
});

const data = resolve('../shared/data');
describe.skipIf(!existsSync(join(data, 'video')))('films of real recordings (needs ../shared/data)', () => {
  const clips = join(data, 'video/torchcodec/test/resources');

  it.each([
    ['nasa_13013.mp4', 'recorded', 'encoded', 390],
    ['av1_video.mkv', 'recorded', 'copied', 125],
    ['av1_video.mkv', 'h264', 'encoded', 125],
    ['h265_video.mp4', 'recorded', 'encoded', 10],
    ['h264_10bits.mp4', 'recorded', 'encoded', 30],
    ['bt709_full_range.mp4', 'h264', 'copied', 30],
  ] as const)('%s as %s is %s', async (name, codec, made, frames) => {
    const film = await service.film(ofVideo(name, { root: clips, codec, longest_side_px: 320 }));
    expect(film).toMatchObject({ made, frames });
    expect(film.mime).toMatch(made === 'encoded' ? /codecs="avc1\.42/ : /codecs="a/);
    const { times_s, decodable } = await shown();
    expect([decodable, times_s.length, times_s[0]]).toEqual(['yes', frames, 0]);
  });

  it('copies a camera of a LeRobot set as it is', async () => {
    const root = join(data, 'lerobot-v21-g1-bottle/videos/chunk-000/observation.images.cam_high');
    const film = await service.film(ofVideo('episode_000001.mp4', { root }));
    expect(film).toMatchObject({ made: 'copied', frames: 393, size_px: [640, 480] });
  });
});
