import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { CameraEvidence, FrameLocator } from '#core/episode';
import type { FilePart, PartsRequest, WantedParts } from '../../../media-port.ts';
import { packetsFor } from '../decode-frames.ts';
import { decoderWords } from '../decoder-words.ts';
import { examineSpan } from '../examine-video.ts';
import { partFile } from '../open-files.ts';
import { NotVideo, type VideoFile } from '../video-file.ts';
import { wholenessOf } from '../wholeness.ts';
import { Present, WantsParts } from './parts.ts';

/** Measures one span of a video file from parts of it, or says which parts it takes. */
export async function examineVideoParts(
  path: string,
  locator: Extract<FrameLocator, { type: 'video' }>,
  request: PartsRequest,
): Promise<CameraEvidence | WantedParts> {
  decoderWords.clear();
  try {
    const { file, demand } = partVideo(path, request.parts);
    return await examineSpan(file, locator, request, demand);
  } catch (thrown) {
    if (thrown instanceof WantsParts) return { wants: thrown.parts };
    throw thrown;
  }
}

/** Codecs of which MP4 says where every frame lies and which are keys. */
const known: ReadonlySet<string> = new Set(['h264', 'hevc', 'av1']);
/** Packets at the beginning from which FFmpeg learns what the container does not say. */
const firstPackets = 8;

/** A video file of which only parts are there: says what else it takes. */
interface PartVideo {
  readonly file: VideoFile;
  /** Throws `WantsParts` unless the packets that these frames are decoded from are there, and all whole. */
  demand(places: readonly number[]): void;
}

/** Opens a file by its index. Throws `WantsParts`. */
function partVideo(path: string, parts: readonly FilePart[]): PartVideo {
  const present = new Present(parts);
  demandIndex(path, statSync(path).size, present);
  const file = opened(
    path,
    parts.reduce((sum, [from, to]) => sum + to - from, 0),
  );
  const { index } = file;
  const isIndexed = index.count > 0 && index.error === null && !index.offset.includes(-1);
  // A container that calls every packet a key may know nothing of it.
  const isKeyed = index.count === 1 || index.key.includes(0);
  // Of several video streams the best one is chosen by frames that were decoded.
  if (!isIndexed || !isKeyed || !known.has(file.codecName) || file.videoStreams !== 1)
    throw new WantsParts(null);
  const demandPackets = (positions: readonly number[]) =>
    present.demand(positions.map((at) => [index.offset[at], index.offset[at] + index.bytes[at]]));
  demandPackets(Array.from({ length: Math.min(firstPackets, index.count) }, (_, at) => at));
  return {
    file,
    demand: (places) => {
      const positions = packetsFor(file, places);
      demandPackets(positions);
      demandWhole(path, file, positions);
    },
  };
}

/** What cannot be opened by its index is looked at whole, and judged then. */
function opened(path: string, bytes: number): VideoFile {
  try {
    return partFile(path, bytes);
  } catch (thrown) {
    if (thrown instanceof NotVideo) throw new WantsParts(null);
    throw thrown;
  }
}

/** Where a packet is damaged, every other of the file must be looked at too. */
function demandWhole(path: string, { stream, index }: VideoFile, positions: readonly number[]): void {
  const isWhole = wholenessOf(stream.codecpar);
  const file = openSync(path, 'r');
  try {
    for (const at of positions) {
      const packet = Buffer.alloc(index.bytes[at]);
      readSync(file, packet, 0, packet.length, index.offset[at]);
      if (!isWhole(packet)) throw new WantsParts(null);
    }
  } finally {
    closeSync(file);
  }
}

/** Asked for at the beginning, and wherever the next box begins: an index is seldom larger. */
const firstBytes = 4096;
const nextBytes = 32 * 1024;
const headerBytes = 16;
const largestIndex = 64 * 1024 * 1024;

/**
 * Has every box of an MP4 file there but the media data itself (ISO/IEC 14496-12, 4.2): what FFmpeg makes its index from.
 * Wants the whole file where it is none, is cut short or is in fragments, whose index lies all over it.
 */
function demandIndex(path: string, size: number, present: Present): void {
  const file = openSync(path, 'r');
  try {
    const seen = new Set<string>();
    for (let at = 0; at < size; ) {
      const look = at === 0 ? firstBytes : nextBytes;
      if (!present.has([at, Math.min(size, at + headerBytes)]))
        present.demand([[at, Math.min(size, at + look)]]);
      const { type, bytes } = boxAt(file, at, size);
      if (at === 0 && type !== 'ftyp') throw new WantsParts(null);
      if (type === 'moof' || bytes < 8 || at + bytes > size) throw new WantsParts(null);
      if (type !== 'mdat') {
        if (bytes > largestIndex) throw new WantsParts(null);
        present.demand([[at, at + bytes]]);
      }
      seen.add(type);
      at += bytes;
    }
    if (!seen.has('moov') || !seen.has('mdat')) throw new WantsParts(null);
  } finally {
    closeSync(file);
  }
}

function boxAt(file: number, at: number, size: number): { type: string; bytes: number } {
  const header = Buffer.alloc(headerBytes);
  readSync(file, header, 0, headerBytes, at);
  const short = header.readUInt32BE(0);
  const type = header.toString('latin1', 4, 8);
  if (short === 1) return { type, bytes: Number(header.readBigUInt64BE(8)) };
  return { type, bytes: short === 0 ? size - at : short };
}
