import { open } from 'node:fs/promises';
import type { PictureEncoding, SampledPicture } from '#core/episode';

/** An upright RGB picture with 3 bytes per pixel, rows from the top. */
export interface RgbFrame {
  readonly width_px: number;
  readonly height_px: number;
  readonly rgb: Uint8Array;
}

/** A picture as recorded: a file (`jpeg`, `png`, …), an access unit of video, or raw pixels with a layout. */
export interface RecordedPicture extends SampledPicture {
  readonly encoding: PictureEncoding;
}

/** The pictures of one camera of one episode, numbered in stream order. */
export interface CameraPictures {
  /** Encoding of the pictures; `video-file`: video in a file of its own. */
  readonly coding: PictureEncoding | 'video-file';
  /** Only for `video-file`: absolute path, and the seconds of the file that belong to the episode. */
  readonly file?: { readonly path: string; readonly from_s: number; readonly until_s: number };
  /** Yields all pictures as recorded, in order; none for `video-file`. Throws `unreadable_input`. */
  recorded(): AsyncIterable<RecordedPicture>;
  /** Yields the decoded pictures with these numbers, ascending. Throws if one of them cannot be decoded. */
  decoded(indices: ReadonlySet<number>): AsyncIterable<readonly [index: number, picture: RgbFrame]>;
}

/** FourCC codes of IVF files; access units of other codecs have start codes and are written without a container. */
const ivfCodes: Readonly<Record<string, string>> = { av1: 'AV01', vp9: 'VP90' };
const headerBytes = 32;

/**
 * Writes or replaces a file with the access units of a topic, one per frame, in a form that a demuxer can read: IVF for
 * AV1 and VP9, else a plain stream.
 */
export async function spoolUnits(path: string, units: AsyncIterable<RecordedPicture>): Promise<void> {
  const file = await open(path, 'w');
  try {
    let frame = 0;
    for await (const { bytes, encoding } of units) {
      const code = ivfCodes[encoding];
      if (code !== undefined && frame === 0) await file.appendFile(ivfHeader(code));
      if (code !== undefined) await file.appendFile(frameHeader(bytes.length, frame));
      await file.appendFile(bytes);
      frame++;
    }
  } finally {
    await file.close();
  }
}

/** Returns an IVF header without sizes, which the decoder reads from the first frame. */
function ivfHeader(code: string): Uint8Array {
  const header = Buffer.alloc(headerBytes);
  header.write('DKIF', 0, 'latin1');
  header.writeUInt16LE(headerBytes, 6);
  header.write(code, 8, 'latin1');
  header.writeUInt32LE(30, 16);
  header.writeUInt32LE(1, 20);
  return header;
}

function frameHeader(bytes: number, frame: number): Uint8Array {
  const header = Buffer.alloc(12);
  header.writeUInt32LE(bytes, 0);
  header.writeBigUInt64LE(BigInt(frame), 4);
  return header;
}
