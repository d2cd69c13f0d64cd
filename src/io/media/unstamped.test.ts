import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { picturesRequest, videoRequest } from '#test/support/camera-requests';
import { encodeVideo } from '#test/support/encode-video';
import { blackFrame, movingPicture, replaced } from '#test/support/moving-picture';
import { createMediaService } from './media-service.ts';

const [width, height, count] = [160, 120, 60];
const folder = mkdtempSync(join(tmpdir(), 'assay-unstamped-'));
const service = createMediaService({ children: 1 });
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

/** Twenty frames a second, with a second lost after the thirtieth. */
const stamps_s = Float64Array.from({ length: count }, (_, i) => i / 20 + (i < 30 ? 0 : 1));
const path = join(folder, 'video.hevc');

describe('raw HEVC, which has no stamps', () => {
  beforeAll(async () => {
    const frames = replaced(movingPicture(width, height, count), 40, 50, () => blackFrame(width, height));
    await encodeVideo(path, width, height, frames, {
      encoder: 'libx265',
      container: 'hevc',
      keyframe_every: 10,
      b_frames: 2,
      options: { preset: 'ultrafast', 'x265-params': 'log-level=none:repeat-headers=1' },
    });
  });

  it('has its frames counted, and each at the time that its stream gives for its number', async () => {
    const evidence = await service.examine({ ...videoRequest(path), stamps_s });
    expect(evidence).toMatchObject({ decodable: 'yes', reason: null });
    expect(evidence.container).toMatchObject({ codec: 'hevc', frame_count: count, rate_hz: null });
    const { index, time_s, luma_mean } = evidence.sampled;
    expect([...time_s]).toEqual([...index].map((i) => stamps_s[i]));
    const dark = [...index].filter((_, i) => luma_mean[i] < 24);
    expect([Math.min(...dark), Math.max(...dark)]).toEqual([40, 49]);
  });

  it('shows the frame of a time by the stamps of its stream', async () => {
    const about = { ...videoRequest(path), stamps_s, width_px: 80 };
    const asked = { ...about, times_s: [stamps_s[45], stamps_s[12] + 0.04, 2] };
    const shown = await service.framesAt({ ...asked, pick: 'shown' });
    expect(shown).toMatchObject([stamps_s[45], stamps_s[12], stamps_s[29]].map((time_s) => ({ time_s })));
    const nearest = await service.framesAt(asked);
    expect(nearest).toMatchObject([stamps_s[45], stamps_s[13], stamps_s[30]].map((time_s) => ({ time_s })));
  });
});

describe('MP4 whose rate is not that of capture', () => {
  it('has its frames at the times of its stream, and its own stamps untold', async () => {
    const file = join(folder, 'sixty.mp4');
    await encodeVideo(file, width, height, movingPicture(width, height, count), {
      encoder: 'libx264',
      container: 'mp4',
      rate_hz: 60,
    });
    const asked = videoRequest(file);
    const locator = { ...asked.frames.locator, unstamped: true } as const;
    const request = { ...asked, frames: { ...asked.frames, locator }, stamps_s };
    const evidence = await service.examine(request);
    expect(evidence.container).toMatchObject({ frame_count: count, rate_hz: null, last_pts_s: null });
    const { index, time_s } = evidence.sampled;
    expect([...time_s]).toEqual([...index].map((i) => stamps_s[i]));
    const [shown] = await service.framesAt({ ...request, times_s: [stamps_s[45]], width_px: 80 });
    expect(shown).toMatchObject({ time_s: stamps_s[45] });
  });
});

describe('picture files of one camera', () => {
  it('are at the times of its clock', async () => {
    const names = ['0.png', '1.png', '2.png'];
    for (const [i, name] of names.entries()) {
      const background = { r: 60 * i, g: 90, b: 30 };
      await sharp({ create: { width, height, channels: 3, background } })
        .png()
        .toFile(join(folder, name));
    }
    const request = { ...picturesRequest(folder, names), stamps_s: Float64Array.of(0, 0.1, 0.3) };
    expect([...(await service.examine(request)).sampled.time_s]).toEqual([0, 0.1, 0.3]);
  });
});
