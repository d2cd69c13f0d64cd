import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, it } from 'vitest';
import type { FrameLocator, Frames, SampledPicture } from '#core/episode';
import { createMediaService } from './media-service.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-distances-'));
const service = createMediaService({ children: 1 });
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

const [width, height] = [40, 30];
const values = Uint16Array.from({ length: width * height }, (_, i) => (i * 53) % 65_536);
const raw = { width, height, channels: 1 } as const;
const png = () => sharp(values, { raw }).toColourspace('grey16').png().toBuffer();

async function read(locator: FrameLocator, kept?: readonly SampledPicture[]) {
  const frames: Frames = { locator, declared_size_px: null, declared_codec: null, ...(kept && { kept }) };
  const wishes = [{ rate_hz: 1, longest_side_px: 16 }];
  const about = {
    root: folder,
    frames,
    needs: wishes,
    declared_rate_hz: 1,
    stamps_s: null,
    distances: true,
  } as const;
  const found = [];
  for await (const batch of service.decode(about)) found.push(...batch);
  return found;
}

const embedded = (encoding: 'png' | 'raw' | 'h264'): FrameLocator => ({
  ...{ type: 'embedded', path: 'a.mcap', channel: '/depth' },
  encoding,
});

it('distances of picture files come as they are, in full size; pictures of colours hold none', async () => {
  writeFileSync(join(folder, 'a.png'), await png());
  const colours = sharp(new Uint8Array(3 * width * height), { raw: { ...raw, channels: 3 } });
  writeFileSync(join(folder, 'b.png'), await colours.png().toBuffer());
  const [deep, flat] = await read({ type: 'image-files', paths: ['a.png', 'b.png'] });
  expect(deep).toMatchObject({ pictures: [], distances: { width_px: width, height_px: height, values } });
  expect(flat).toMatchObject({ row: 1, reason: expect.stringContaining('has no depth values') });
});

it('distances inside a recording come as they are, and pictures that are cut off are said to be', async () => {
  const whole = await png();
  const layout = { encoding: '16UC1', width, height, step: 2 * width };
  const bytes = new Uint8Array(values.buffer);
  const kept = (own: Uint8Array, of?: typeof layout): SampledPicture[] => [
    { index: 0, time_s: 0, bytes: own, ...(of && { layout: of }) },
  ];
  for (const found of [
    await read(embedded('png'), kept(whole)),
    await read(embedded('raw'), kept(bytes, layout)),
  ])
    expect(found).toMatchObject([{ row: 0, distances: { width_px: width, height_px: height, values } }]);
  const cut = [
    ...(await read(embedded('png'), kept(whole.subarray(0, 300)))),
    ...(await read(embedded('raw'), kept(bytes.subarray(0, 300), layout))),
    ...(await read(embedded('raw'), kept(bytes, { ...layout, encoding: 'rgb8', width: 10, step: 30 }))),
  ];
  for (const one of cut) expect(one).toMatchObject({ row: 0, reason: expect.any(String) });
});

it('depth values cannot be read from video, which is said', async () => {
  const video = read(embedded('h264'), [{ index: 0, time_s: 0, bytes: new Uint8Array(100) }]);
  await expect(video).rejects.toMatchObject({ code: 'media_failed' });
});
