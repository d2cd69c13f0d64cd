import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { videoRequest } from '#test/support/camera-requests';
import { createMediaService } from './media-service.ts';

const data = '../shared/data';
const video = join(data, 'video');
const service = createMediaService({ children: 2 });
afterAll(() => service.close());

const examine = (file: string, span = {}) => service.examine(videoRequest(file, span));

describe.skipIf(!existsSync(video))('real clips (needs ../shared/data/video)', () => {
  const torchcodec = join(video, 'torchcodec/test/resources');
  const decord = join(video, 'decord');

  it.each([
    ['nasa_13013.mp4', 'h264', 480, 270, 'yuv420p', 390, 30_000 / 1001],
    ['av1_video.mkv', 'av1', 640, 360, 'yuv420p', 125, 25],
    ['h265_video.mp4', 'hevc', 128, 128, 'yuv420p', 10, 10],
    ['h264_10bits.mp4', 'h264', 200, 200, 'yuv420p10le', 30, 30],
    ['h265_10bits.mp4', 'hevc', 200, 200, 'yuv420p10le', 30, 30],
    ['bt709_full_range.mp4', 'h264', 1280, 720, 'yuvj420p', 30, 30],
  ])(
    '%s decodes with its known size, count and rate',
    async (name, codec, width, height, format, count, rate) => {
      const { decodable, reason, container } = await examine(join(torchcodec, name));
      expect({ decodable, reason }).toEqual({ decodable: 'yes', reason: null });
      expect(container).toMatchObject({ codec, width_px: width, height_px: height, pixel_format: format });
      expect(container).toMatchObject({
        frame_count: count,
        rotation_deg: 0,
        complete: true,
        pts_jitter_ratio: 0,
      });
      expect(container?.rate_hz).toBeCloseTo(rate, 6);
    },
  );

  it('takes the best of several video streams and stamps each frame as its published list does', async () => {
    const list = JSON.parse(
      readFileSync(join(torchcodec, 'nasa_13013.mp4.stream3.all_frames_info.json'), 'utf8'),
    );
    const { sampled } = await examine(join(torchcodec, 'nasa_13013.mp4'));
    const times = Object.values<{ pts_time: string }>(list).map((frame) => Number(frame.pts_time));
    expect(times).toHaveLength(390);
    sampled.index.forEach((index, i) => {
      expect(sampled.time_s[i]).toBeCloseTo(times[index], 5);
    });
  });

  it('brings 10-bit luma to 8 bits: two encodings of one clip look alike', async () => {
    const [h264, h265] = await Promise.all(
      ['h264_10bits.mp4', 'h265_10bits.mp4'].map((name) => examine(join(torchcodec, name))),
    );
    expect(h264.sampled.luma_mean[0]).toBeCloseTo(h265.sampled.luma_mean[0], 0);
    expect(h264.sampled.luma_mean[0]).toBeGreaterThan(90);
  });

  it('gives 310 frames at 30 Hz of a clip whose stamps are rounded to milliseconds', async () => {
    const { container } = await examine(join(decord, 'examples/flipping_a_pancake.mkv'));
    expect(container).toMatchObject({ frame_count: 310, rate_hz: 30, declared_frame_count: null });
  });

  it('keeps the 28 frames before the damage of a corrupted file and says what the decoder met', async () => {
    const { decodable, reason, container, sampled } = await examine(
      join(decord, 'tests/test_data/corrupted.mp4'),
    );
    expect(decodable).toBe('partial');
    expect(reason).toMatch(
      /^28 of 50 frames can be decoded; decoder error at 3\.000 s: .*Invalid NAL unit size/,
    );
    expect(container).toMatchObject({ frame_count: 50, declared_frame_count: 50, complete: false });
    expect(sampled.index).toHaveLength(28);
  });

  it.each([0, 90, 180, 270])('reads the rotation of %i degrees from the display matrix', async (degrees) => {
    const file = join(decord, `tests/test_data/video_${degrees}.mov`);
    const { container, thumbnails } = await examine(file, { thumbnails: 1 });
    expect(container?.rotation_deg).toBe(degrees);
    const [{ width_px, height_px }] = thumbnails;
    expect(height_px > width_px).toBe(degrees % 180 === 90);
  });

  it('orders frames by their stamps where the file stores them out of order', async () => {
    const { sampled } = await examine(join(decord, 'tests/test_data/unordered.mov'));
    expect([...sampled.time_s]).toEqual([0, 0.03125, 0.0625, 0.09375]);
  });
});

const g1 = join(data, 'lerobot-v21-g1-bottle/videos/chunk-000/observation.images.cam_high');
describe.skipIf(!existsSync(g1))(
  'a camera slower than its grid (needs ../shared/data/lerobot-v21-g1-bottle)',
  () => {
    it.each([
      [1, 393, 100],
      [2, 343, 114],
      [4, 357, 101],
      [5, 368, 92],
    ])('episode %i: %i frames, %i of which repeat the one before', async (episode, frames, repeats) => {
      const evidence = await examine(join(g1, `episode_00000${episode}.mp4`));
      expect(evidence).toMatchObject({
        decodable: 'yes',
        container: { codec: 'av1', frame_count: frames, rate_hz: 30 },
      });
      expect(evidence.repeats).toMatchObject({
        method: 'every_frame',
        pairs_compared: frames - 1,
        pairs_equal: repeats,
      });
      expect([...evidence.sampled.index]).toEqual(Array.from({ length: frames }, (_, i) => i));
    });
  },
);

const gr00t = join(data, 'lerobot-v20-gr00t-pick-place/videos/chunk-000/observation.images.ego_view');
describe.skipIf(!existsSync(gr00t))('clean video (needs ../shared/data/lerobot-v20-gr00t-pick-place)', () => {
  it.each([416, 470, 470, 412, 328])('is only sampled (%i frames)', async (frames) => {
    const episode = [416, 470, 470, 412, 328].indexOf(frames);
    const evidence = await examine(join(gr00t, `episode_00000${episode}.mp4`));
    expect(evidence.container?.frame_count).toBe(frames);
    expect(evidence.repeats).toMatchObject({ method: 'sampled', pairs_equal: 0 });
    expect(evidence.sampled.index.length).toBeLessThan(60);
  });
});

const omx = join(data, 'lerobot-malformed-omx/dataset/videos/chunk-000/observation.images.top');
describe.skipIf(!existsSync(omx))('a blank camera (needs ../shared/data/lerobot-malformed-omx)', () => {
  it('repeats one picture without structure from beginning to end', async () => {
    const { repeats, sampled, container } = await examine(join(omx, 'episode_000000.mp4'));
    expect(container?.codec).toBe('mpeg4');
    expect(repeats).toMatchObject({ method: 'every_frame', pairs_compared: 67, pairs_equal: 67 });
    expect(repeats.runs).toMatchObject([{ from_s: 0, to_s: 6.7, frames: 67, leap: null }]);
    expect(Math.max(...sampled.luma_std)).toBeLessThan(4);
  });
});
