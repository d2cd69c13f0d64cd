import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { CameraEvidence, FrameLocator } from '#core/episode';
import type { ByteRange, MissingParts, PartsRequest } from '../../media-port.ts';
import { AvailableParts, MissingPartsError } from './available-parts.ts';
import { packetsFor } from './decode-frames.ts';
import { examineSpan } from './examine-video.ts';
import { ffmpegLog } from './ffmpeg-log.ts';
import { cachedPartialFile } from './open-files.ts';
import { completenessCheck } from './packet-index.ts';
import { UnusableVideo, type VideoFile } from './video-file.ts';

/** Measures one span of a partly present video file, or returns which further parts of it are needed. */
export async function examineVideoParts(
  path: string,
  locator: Extract<FrameLocator, { type: 'video' }>,
  request: PartsRequest,
): Promise<CameraEvidence | MissingParts> {
  ffmpegLog.clear();
  try {
    const { file, requireFrames: requireSpanFrames } = openPartialVideo(path, request.parts);
    return await examineSpan(file, locator, request, requireSpanFrames);
  } catch (thrown) {
    if (thrown instanceof MissingPartsError) return { wants: thrown.parts };
    throw thrown;
  }
}

/** Codecs for which MP4 stores the location and key flag of every frame. */
const indexedCodecs: ReadonlySet<string> = new Set(['h264', 'hevc', 'av1']);
/** Number of packets at the start from which FFmpeg derives what the container does not store. */
const probePackets = 8;

/** A partly present video file. */
interface PartialVideo {
  readonly file: VideoFile;
  /** Throws MissingPartsError unless the packets needed for these frames are present and complete. */
  requireFrames(frameIndices: readonly number[]): void;
}

/** Opens a file by its container index. Throws MissingPartsError. */
function openPartialVideo(path: string, parts: readonly ByteRange[]): PartialVideo {
  const present = new AvailableParts(parts);
  requireIndex(path, statSync(path).size, present);
  const file = openByIndex(
    path,
    parts.reduce((sum, [from, to]) => sum + to - from, 0),
  );
  const { index } = file;
  const isIndexed = index.count > 0 && index.error === null && !index.offset.includes(-1);
  // A container that marks every packet as key may not know the key frames.
  const isKeyed = index.count === 1 || index.key.includes(0);
  // With several video streams FFmpeg chooses the best one by decoding frames.
  if (!isIndexed || !isKeyed || !indexedCodecs.has(file.codecName) || file.videoStreams !== 1)
    throw new MissingPartsError(null);
  const requirePackets = (positions: readonly number[]) =>
    present.require(positions.map((at) => [index.offset[at], index.offset[at] + index.bytes[at]]));
  requirePackets(Array.from({ length: Math.min(probePackets, index.count) }, (_, at) => at));
  return {
    file,
    requireFrames: (frameIndices) => {
      const positions = packetsFor(file, frameIndices);
      requirePackets(positions);
      requireCompletePackets(path, file, positions);
    },
  };
}

/** Opens a partly present file. Requires the whole file if it cannot be opened by its index. */
function openByIndex(path: string, bytes: number): VideoFile {
  try {
    return cachedPartialFile(path, bytes);
  } catch (thrown) {
    if (thrown instanceof UnusableVideo) throw new MissingPartsError(null);
    throw thrown;
  }
}

/** Requires the whole file if one of the packets is damaged, because then all packets must be checked. */
function requireCompletePackets(
  path: string,
  { stream, index }: VideoFile,
  positions: readonly number[],
): void {
  const isWhole = completenessCheck(stream.codecpar);
  const file = openSync(path, 'r');
  try {
    for (const at of positions) {
      const packet = Buffer.alloc(index.bytes[at]);
      readSync(file, packet, 0, packet.length, index.offset[at]);
      if (!isWhole(packet)) throw new MissingPartsError(null);
    }
  } finally {
    closeSync(file);
  }
}

/** Bytes requested at the start of the file and at each further box; an index is rarely larger. */
const firstBytes = 4096;
const nextBytes = 32 * 1024;
const headerBytes = 16;
const maxIndexBytes = 64 * 1024 * 1024;

/**
 * Requires all boxes of an MP4 file except the media data (ISO/IEC 14496-12, 4.2), from which FFmpeg builds its index.
 * Requires the whole file if it is not MP4, truncated, or fragmented (index spread over the file).
 */
function requireIndex(path: string, size: number, present: AvailableParts): void {
  const file = openSync(path, 'r');
  try {
    const boxTypes = new Set<string>();
    for (let at = 0; at < size; ) {
      const look = at === 0 ? firstBytes : nextBytes;
      if (!present.has([at, Math.min(size, at + headerBytes)]))
        present.require([[at, Math.min(size, at + look)]]);
      const { type, bytes } = readBoxHeader(file, at, size);
      if (at === 0 && type !== 'ftyp') throw new MissingPartsError(null);
      if (type === 'moof' || bytes < 8 || at + bytes > size) throw new MissingPartsError(null);
      if (type !== 'mdat') {
        if (bytes > maxIndexBytes) throw new MissingPartsError(null);
        present.require([[at, at + bytes]]);
      }
      boxTypes.add(type);
      at += bytes;
    }
    if (!boxTypes.has('moov') || !boxTypes.has('mdat')) throw new MissingPartsError(null);
  } finally {
    closeSync(file);
  }
}

function readBoxHeader(file: number, at: number, size: number): { type: string; bytes: number } {
  const header = Buffer.alloc(headerBytes);
  readSync(file, header, 0, headerBytes, at);
  const short = header.readUInt32BE(0);
  const type = header.toString('latin1', 4, 8);
  if (short === 1) return { type, bytes: Number(header.readBigUInt64BE(8)) };
  return { type, bytes: short === 0 ? size - at : short };
}
