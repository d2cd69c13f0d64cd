import { open } from 'node:fs/promises';
import type { RecordedPicture } from './camera-pictures.ts';

/** FourCC of what an IVF file holds; the others are written as they are, since they have start codes. */
const ivfCodes: Readonly<Record<string, string>> = { av1: 'AV01', vp9: 'VP90' };
const headerBytes = 32;

/** Writes access units of a topic, one a frame, into a file that a demuxer reads. */
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

/** Sizes are left open: the decoder reads them from the first frame. */
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
