import { crc32, deflateSync } from 'node:zlib';
import { pictureSize } from './scene.ts';
import type { WrittenSet } from './written-set.ts';

/** A PNG of a picture in planar YUV 4:2:0 (BT.601, limited range). */
export function pngOf(yuv: Uint8Array): Uint8Array {
  const { width, height } = pictureSize;
  const luma = width * height;
  const rows = Buffer.alloc(height * (1 + width * 3));
  const byte = (value: number) => Math.max(0, Math.min(255, Math.round(value)));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const chroma = luma + (y >> 1) * (width >> 1) + (x >> 1);
      const light = 1.164 * (yuv[y * width + x] - 16);
      const [u, v] = [yuv[chroma] - 128, yuv[chroma + (luma >> 2)] - 128];
      const at = y * (1 + width * 3) + 1 + x * 3;
      rows[at] = byte(light + 1.596 * v);
      rows[at + 1] = byte(light - 0.392 * u - 0.813 * v);
      rows[at + 2] = byte(light + 2.017 * u);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** Returns the footer metadata of the datasets library, without which it loads images as dicts. */
export function libraryFooter(set: WrittenSet): string {
  const value = (dtype: string) => ({ dtype, _type: 'Value' });
  const features = Object.entries(set.info.features).map(([key, { dtype, shape }]) => {
    if (dtype === 'image') return [key, { _type: 'Image' }];
    const single = shape.length === 1 && shape[0] === 1;
    return [key, single ? value(dtype) : { feature: value(dtype), length: shape[0], _type: 'Sequence' }];
  });
  return JSON.stringify({ info: { features: Object.fromEntries(features) } });
}
