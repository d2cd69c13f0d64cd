import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { picturesRequest } from '#test/support/camera-requests';
import { createMediaService } from './media-service.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-pictures-'));
const service = createMediaService({ children: 2 });
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

const examine = (root: string, ...paths: string[]) => service.examine(picturesRequest(root, paths));

/** A textured picture, so that a truncated or damaged file loses something. */
function scene(width = 640, height = 480) {
  const data = Buffer.alloc(width * height * 3);
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    const large = 70 * Math.sin(x / 60 + 1) * Math.cos(y / 47) + (x / width) * 20;
    const value = 118 + large + 30 * Math.sin(i / 7) * Math.cos(y / 9);
    data.fill(value, 3 * i, 3 * i + 3);
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
}

const encoded = { jpeg: Buffer.alloc(0), png: Buffer.alloc(0), webp: Buffer.alloc(0) };
beforeAll(async () => {
  encoded.jpeg = await scene().jpeg({ quality: 90 }).toBuffer();
  encoded.png = await scene().png().toBuffer();
  encoded.webp = await scene().webp().toBuffer();
});

async function examineBytes(bytes: Uint8Array, name = 'picture') {
  writeFileSync(join(folder, name), bytes);
  return examine(folder, name);
}

describe.each(['jpeg', 'png', 'webp'] as const)('a %s', (format) => {
  it('is measured whatever it is called', async () => {
    const { decodable, container, sampled } = await examineBytes(encoded[format]);
    expect(decodable).toBe('yes');
    expect(container).toMatchObject({
      codec: format,
      width_px: 640,
      height_px: 480,
      frame_count: 1,
      rotation_deg: 0,
    });
    expect(sampled.luma_mean[0]).toBeCloseTo(128, -1);
    expect(sampled.sharpness[0]).toBeGreaterThan(1);
  });

  it.each([0.3, 0.9, 0.99])('cut to %f of its bytes is found', async (share) => {
    const bytes = encoded[format];
    const { decodable, reason } = await examineBytes(bytes.subarray(0, Math.floor(share * bytes.length)));
    expect(decodable).toBe('no');
    expect(reason).not.toBeNull();
  });
});

describe('pictures', () => {
  it('with overwritten data in the middle are partly decodable at best', async () => {
    for (const format of ['jpeg', 'png'] as const) {
      const bytes = Buffer.from(encoded[format]);
      bytes.fill(0, bytes.length >> 1, (bytes.length >> 1) + 500);
      const { decodable, reason } = await examineBytes(bytes);
      expect(decodable).not.toBe('yes');
      expect(reason).not.toBeNull();
    }
  });

  it('with stray bytes between their segments are whole', async () => {
    const bytes = encoded.jpeg;
    const second = 4 + bytes.readUInt16BE(4);
    const stray = Buffer.concat([
      bytes.subarray(0, second),
      Buffer.alloc(7, 1),
      bytes.subarray(second),
      Buffer.alloc(64),
    ]);
    expect(await examineBytes(stray)).toMatchObject({ decodable: 'yes', reason: null });
  });

  it('say by how much EXIF turns them', async () => {
    const turned = await scene().withMetadata({ orientation: 6 }).jpeg().toBuffer();
    writeFileSync(join(folder, 'turned.jpg'), turned);
    const { container, thumbnails } = await service.examine(picturesRequest(folder, ['turned.jpg'], 1));
    expect(container).toMatchObject({ width_px: 640, height_px: 480, rotation_deg: 90 });
    expect(thumbnails[0].height_px).toBeGreaterThan(thumbnails[0].width_px);
  });

  it('of absurd size are refused before they are decoded', async () => {
    const header = Buffer.from(encoded.png);
    header.writeUInt32BE(60_000, 16);
    header.writeUInt32BE(60_000, 20);
    const { decodable, reason } = await examineBytes(header);
    expect(decodable).toBe('no');
    expect(reason).toMatch(/60000x60000 pixels exceed the limit|corrupt header/);
    const bomb = await sharp({ create: { width: 16_000, height: 16_000, channels: 3, background: '#000' } })
      .png({ compressionLevel: 9 })
      .toBuffer();
    expect(bomb.length).toBeLessThan(4_000_000);
    const refused = await examineBytes(bomb);
    expect(refused.decodable).toBe('no');
    expect(refused.reason).toContain('decompression bomb');
  });

  it('with 16 bits of grey keep their structure, also when they are dark', async () => {
    const values = Uint16Array.from({ length: 64 * 48 }, (_, i) => 400 + 300 * Math.sin(i / 5));
    const raw = sharp(values, { raw: { width: 64, height: 48, channels: 1 } });
    const png = await raw.toColourspace('grey16').png().toBuffer();
    const { decodable, sampled } = await examineBytes(png);
    expect(decodable).toBe('yes');
    expect(sampled.luma_std[0]).toBeGreaterThan(30);
    expect(sampled.dark_ratio[0]).toBeLessThan(0.2);
  });

  it('of formats that sharp does not read are read by FFmpeg, or left unmeasured with the name', async () => {
    const pgm = Buffer.concat([Buffer.from('P5\n64 48\n255\n'), Buffer.alloc(64 * 48, 77)]);
    const seen = await examineBytes(pgm, 'a.pgm');
    expect(seen).toMatchObject({ decodable: 'yes', container: { width_px: 64, height_px: 48 } });
    expect(seen.sampled.luma_mean[0]).toBeCloseTo(77, 0);
    const psd = Buffer.concat([Buffer.from('8BPS\0\x01'), Buffer.alloc(64)]);
    expect(await examineBytes(psd, 'a.psd')).toMatchObject({
      decodable: 'not_measured',
      reason: 'decoding Photoshop images is not supported',
    });
  });

  it('one after another are compared: repeats, times by the declared rate, absent files', async () => {
    const names = ['0.jpg', '1.jpg', '2.jpg', '3.jpg', 'absent.jpg'];
    for (const [i, name] of names.slice(0, 4).entries()) {
      const shifted = await scene()
        .modulate({ brightness: i < 2 ? 1 : 1 + i / 10 })
        .jpeg()
        .toBuffer();
      writeFileSync(join(folder, name), shifted);
    }
    const evidence = await service.examine({ ...picturesRequest(folder, names), declared_rate_hz: 10 });
    expect(evidence.decodable).toBe('partial');
    expect(evidence.reason).toBe(
      '1 of 5 images are corrupt or cannot be decoded; the first is absent.jpg: file not found',
    );
    expect([...evidence.sampled.time_s]).toEqual([0, 0.1, 0.2, 0.3]);
    expect(evidence.repeats).toMatchObject({ pairs_compared: 3, pairs_equal: 1, method: 'every_frame' });
    expect(evidence.container?.frame_count).toBe(5);
    const none = await examine(folder, 'nowhere.jpg');
    expect(none).toMatchObject({ decodable: 'missing', reason: 'file not found: nowhere.jpg' });
  });

  it('that look alike have near hashes, others far ones', async () => {
    const small = await scene().resize(200).jpeg({ quality: 60 }).toBuffer();
    const other = await scene().rotate(90).jpeg().toBuffer();
    const [a, b, c] = [encoded.jpeg, small, other];
    const hashes = [];
    for (const bytes of [a, b, c]) {
      const { sampled } = await examineBytes(bytes);
      hashes.push([sampled.hash_high[0], sampled.hash_low[0]]);
    }
    expect(distance(hashes[0], hashes[1])).toBeLessThan(10);
    expect(distance(hashes[0], hashes[2])).toBeGreaterThan(16);
  });
});

function distance(a: readonly number[], b: readonly number[]): number {
  const ones = (word: number) => word.toString(2).replaceAll('0', '').length;
  return ones((a[0] ^ b[0]) >>> 0) + ones((a[1] ^ b[1]) >>> 0);
}

const images = '../shared/data/images';
describe.skipIf(!existsSync(images))('real and broken pictures (needs ../shared/data/images)', () => {
  const filesOf = (root: string) =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/LICENSE|README/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));

  it.each([
    ['bad-pillow', 26, 36],
    ['bad-image-rs', 8, 14],
  ])('%s: some decode, every other one has its reason, and nothing dies of it', async (name, least, most) => {
    const root = join(images, name);
    const all = await Promise.all(filesOf(root).map((file) => examine(root, file)));
    const good = all.filter((one) => one.decodable === 'yes').length;
    expect(good).toBeGreaterThanOrEqual(least);
    expect(good).toBeLessThanOrEqual(most);
    for (const { decodable, reason } of all) {
      expect(reason === null).toBe(decodable === 'yes');
      expect(reason ?? '').not.toContain('decoder process');
    }
  });

  it('coco-cobot-hands: every picture decodes', async () => {
    const root = join(images, 'coco-cobot-hands');
    const pictures = filesOf(root).filter((file) => file.endsWith('.jpg'));
    const all = await Promise.all(pictures.map((file) => examine(root, file)));
    expect(all).toHaveLength(300);
    expect(all.every((one) => one.decodable === 'yes')).toBe(true);
  });
});
