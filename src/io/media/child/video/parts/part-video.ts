import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { FilePart } from '../../../media-port.ts';
import { packetsFor } from '../decode-frames.ts';
import { partFile } from '../open-files.ts';
import { NotVideo, type VideoFile } from '../video-file.ts';
import { wholenessOf } from '../wholeness.ts';
import { demandIndex } from './mp4-boxes.ts';
import { Present, WantsParts } from './parts.ts';

/** Codecs of which MP4 says where every frame lies and which are keys. */
const known: ReadonlySet<string> = new Set(['h264', 'hevc', 'av1']);
/** Packets at the beginning from which FFmpeg learns what the container does not say. */
const firstPackets = 8;

/** A video file of which only parts are there: says what else it takes. */
export interface PartVideo {
  readonly file: VideoFile;
  /** Throws `WantsParts` unless the packets that these frames are decoded from are there, and all whole. */
  demand(places: readonly number[]): void;
}

/** Opens a file by its index. Throws `WantsParts`. */
export function partVideo(path: string, parts: readonly FilePart[]): PartVideo {
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
