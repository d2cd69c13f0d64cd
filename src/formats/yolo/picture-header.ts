import { pictureFormat } from '#core/episode';

/** Size and orientation from the header of a picture file. */
export interface PictureHeader {
  /** Stored size, before rotation. */
  readonly size_px: readonly [width: number, height: number];
  /** EXIF orientation, 1 to 8; 1 is upright. */
  readonly orientation: number;
}

/** Bytes that contain the size in nearly every file; a large EXIF preview may push it further. */
export const headerBytes = 64 * 1024;

/**
 * Returns size and EXIF orientation from the header of a JPEG, PNG, WebP, BMP or GIF file; `null` if the bytes do not
 * contain the size.
 */
export function pictureHeader(bytes: Uint8Array): PictureHeader | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    switch (pictureFormat(bytes)) {
      case 'JPEG':
        return jpegHeader(head);
      case 'PNG':
        return upright(head.readUInt32BE(16), head.readUInt32BE(20));
      case 'GIF':
        return upright(head.readUInt16LE(6), head.readUInt16LE(8));
      case 'BMP':
        return upright(head.readInt32LE(18), Math.abs(head.readInt32LE(22)));
      case 'WebP':
        return webpHeader(head);
      default:
        return null;
    }
  } catch (thrown) {
    // Read past the end: the header is incomplete.
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}

function upright(width: number, height: number): PictureHeader | null {
  return width > 0 && height > 0 ? { size_px: [width, height], orientation: 1 } : null;
}

/** Parses the JPEG segments up to the frame header; EXIF comes before it. */
function jpegHeader(head: Buffer): PictureHeader | null {
  let orientation = 1;
  for (let at = 2; at + 4 <= head.length; ) {
    if (head[at] !== 0xff) return null;
    const marker = head[at + 1];
    // Fill bytes, and markers without a length.
    if (marker === 0xff) at++;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else {
      const length = head.readUInt16BE(at + 2);
      if (length < 2) return null;
      const isFrame =
        marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
      if (isFrame) {
        const size = upright(head.readUInt16BE(at + 7), head.readUInt16BE(at + 5));
        return size === null ? null : { ...size, orientation };
      }
      if (marker === 0xe1)
        orientation = exifOrientation(head.subarray(at + 4, at + 2 + length)) ?? orientation;
      at += 2 + length;
    }
  }
  return null;
}

const orientationTag = 0x0112;

/** Returns the orientation from the first TIFF directory of an EXIF segment; `null` if there is none. */
function exifOrientation(segment: Buffer): number | null {
  if (segment.toString('latin1', 0, 6) !== 'Exif\0\0') return null;
  const tiff = segment.subarray(6);
  const little = tiff.toString('latin1', 0, 2) === 'II';
  const u16 = (at: number) => (little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const u32 = (at: number) => (little ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  try {
    const directory = u32(4);
    const entries = Math.min(u16(directory), 256);
    for (let i = 0; i < entries; i++) {
      const at = directory + 2 + 12 * i;
      if (u16(at) !== orientationTag) continue;
      const value = u16(at + 8);
      return value >= 1 && value <= 8 ? value : null;
    }
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
  }
  return null;
}

function webpHeader(head: Buffer): PictureHeader | null {
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return upright(head.readUInt16LE(26) & 0x3fff, head.readUInt16LE(28) & 0x3fff);
    case 'VP8L': {
      const bits = head.readUInt32LE(21);
      return upright((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    case 'VP8X':
      return upright(head.readUIntLE(24, 3) + 1, head.readUIntLE(27, 3) + 1);
    default:
      return null;
  }
}
