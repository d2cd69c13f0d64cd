import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { LoaderRequests } from '#core/episode';
import { videoRequest } from '#test/support/camera-requests';
import { type Encoding, encodeVideo, x264 } from '#test/support/encode-video';
import { movingPicture } from '#test/support/moving-picture';
import { createMediaService } from './media-service.ts';

const [width, height, count] = [64, 48, 60];
const folder = mkdtempSync(join(tmpdir(), 'assay-served-'));
const service = createMediaService({ children: 1 });
const scene = movingPicture(width, height, count);

afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

let made = 0;
async function served(encoding: Encoding, from_s: number, asked: Partial<LoaderRequests> = {}) {
  const path = join(folder, `${made++}.mp4`);
  const frames = scene.slice(0, encoding.stamps?.length ?? count);
  await encodeVideo(path, width, height, frames, encoding);
  const { frames: own, ...request } = videoRequest(path);
  const all: LoaderRequests = { rows: count, rate_hz: 30, tolerance_s: 1e-4, until_s: null, ...asked };
  const locator = { ...own.locator, from_s, asked: all } as typeof own.locator;
  const { container } = await service.examine({ ...request, frames: { ...own, locator } });
  return container?.served;
}

/** Expectations are what torchcodec 0.13 served to LeRobot 0.4.4 for such files. */
describe('frames that LeRobot finds', () => {
  it.each<[string, Encoding]>([
    ['H.264', x264],
    ['B-frames', { ...x264, b_frames: 3, keyframe_every: 30, options: { crf: '23' } }],
    ['AV1', { ...x264, encoder: 'libsvtav1', options: { preset: '12', crf: '30' } }],
    ['twice as many as rows', { ...x264, rate_hz: 60 }],
  ])('are all there: %s', async (_, encoding) => {
    const rows = encoding.rate_hz === 60 ? count / 2 : count;
    expect(await served(encoding, 0, { rows })).toMatchObject({ rows, absent: 0, off: 0, foreign: 0 });
  });

  it('end one frame early', async () => {
    expect(await served(x264, 0, { rows: count + 1 })).toMatchObject({
      ...{ absent: 1, first_absent: count, off: 0, file_frames: count },
    });
  });

  it('lie beside a window that starts off the grid, by 0.12 ms and not by 0.09', async () => {
    const rows = count - 10;
    expect(await served(x264, 0.1 + 9e-5, { rows })).toMatchObject({ off: 0 });
    const off = await served(x264, 0.1 + 1.2e-4, { rows });
    expect(off).toMatchObject({ off: rows, first_off: 0, absent: 0 });
    expect(off?.worst_off_s).toBeCloseTo(1.2e-4, 6);
  });

  it('are stamped in whole milliseconds by Matroska: two of three rows refuse', async () => {
    const off = await served({ ...x264, container: 'matroska' }, 0);
    expect(off).toMatchObject({ off: (count / 3) * 2, first_off: 1, absent: 0 });
    expect(off?.worst_off_s).toBeCloseTo(1 / 3000, 5);
  });

  it('run at another rate', async () => {
    expect(await served({ ...x264, rate_hz: 25 }, 0, { rows: 50 })).toMatchObject({
      absent: 0,
      first_off: 1,
    });
  });

  it('have a hole, and the header counts too few for the last rows', async () => {
    const stamps = Array.from({ length: count - 5 }, (_, i) => (i < 20 ? i : i + 5));
    expect(await served({ ...x264, stamps }, 0)).toMatchObject({ absent: 10, first_absent: 20 });
  });

  it('belong to the next episode where a window is shorter than its rows', async () => {
    expect(await served(x264, 0, { rows: 30, until_s: 27 / 30 })).toMatchObject({
      ...{ absent: 0, off: 0, foreign: 3, first_foreign: 27 },
    });
  });

  it('lie all before a window that counts on from another file', async () => {
    expect(await served(x264, 10)).toMatchObject({ absent: count, first_absent: 0 });
  });
});
