import type { PictureEncoding } from '#core/episode';

/** What a payload is, by its first bytes where they say it, else by what the message calls it. */
export function pictureEncoding(payload: Uint8Array, format: string): PictureEncoding {
  return sniffed(payload) ?? named(format);
}

function sniffed(bytes: Uint8Array): PictureEncoding | null {
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return 'jpeg';
  if (bytes[0] === 0x89 && bytes[1] === 0x50 && bytes[2] === 0x4e && bytes[3] === 0x47) return 'png';
  const riff = bytes[0] === 0x52 && bytes[1] === 0x49 && bytes[2] === 0x46 && bytes[3] === 0x46;
  return riff && bytes[8] === 0x57 && bytes[9] === 0x45 ? 'webp' : null;
}

function named(format: string): PictureEncoding {
  const words = format.toLowerCase();
  if (/h\.?264|avc/.test(words)) return 'h264';
  if (/h\.?265|hevc/.test(words)) return 'h265';
  if (/av1/.test(words)) return 'av1';
  if (/vp9/.test(words)) return 'vp9';
  if (/jpe?g/.test(words)) return 'jpeg';
  if (/png/.test(words)) return 'png';
  return /webp/.test(words) ? 'webp' : 'unknown';
}

export function isVideo(encoding: PictureEncoding): boolean {
  return encoding === 'h264' || encoding === 'h265' || encoding === 'av1' || encoding === 'vp9';
}

/** Pixel formats of `sensor_msgs/Image` that hold distances, not light. */
export function isDepthFormat(format: string): boolean {
  return /16UC1|32FC1|mono16|compressedDepth/i.test(format);
}

/**
 * ROS's compressedDepth puts 12 bytes of its own before the PNG (compressed_depth_image_transport). The picture
 * starts behind them.
 */
export function pictureStart(payload: Uint8Array, format: string): number {
  const wrapped = /compressedDepth/i.test(format) && payload.length > 16;
  return wrapped && payload[12] === 0x89 && payload[13] === 0x50 ? 12 : 0;
}

/**
 * Whether an access unit can be decoded without an earlier one: H.264 IDR (ITU-T H.264 table 7-1, type 5), H.265 IRAP
 * (ITU-T H.265 table 7-1, types 16 to 23), AV1 temporal unit with a sequence header (OBU type 1), VP9 key frame
 * (frame_type 0 of the uncompressed header).
 */
export function isKeyUnit(unit: Uint8Array, encoding: PictureEncoding): boolean {
  switch (encoding) {
    case 'h264':
      return hasUnit(unit, (byte) => (byte & 0x1f) === 5);
    case 'h265':
      return hasUnit(unit, (byte) => ((byte >> 1) & 0x3f) >= 16 && ((byte >> 1) & 0x3f) <= 23);
    case 'av1':
      return hasSequenceHeader(unit);
    case 'vp9':
      return unit.length > 0 && unit[0] >> 6 === 2 && (unit[0] & 0x04) === 0;
    default:
      return true;
  }
}

/** NAL units start after 00 00 01; only the first 64 KiB are searched, parameter sets and slices start there. */
function hasUnit(bytes: Uint8Array, wanted: (header: number) => boolean): boolean {
  const end = Math.min(bytes.length - 3, 65_536);
  for (let i = 0; i < end; i++) {
    if (bytes[i] === 0 && bytes[i + 1] === 0 && bytes[i + 2] === 1 && wanted(bytes[i + 3])) return true;
  }
  return false;
}

function hasSequenceHeader(bytes: Uint8Array): boolean {
  let at = 0;
  for (let count = 0; count < 8 && at < bytes.length; count++) {
    const header = bytes[at];
    if (((header >> 3) & 0x0f) === 1) return true;
    at += (header & 0x04) === 0 ? 1 : 2;
    if ((header & 0x02) === 0) return false;
    let size = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = bytes[at++] ?? 0;
      size |= (byte & 0x7f) << shift;
      if ((byte & 0x80) === 0) break;
    }
    at += size;
  }
  return false;
}
