import { AV_FRAME_FLAG_CORRUPT, AVERROR_EAGAIN, AVERROR_EOF, AVSEEK_FLAG_BACKWARD } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import { reportProgress } from '#io/processes';
import { findPosition, firstFrameAt } from './packet-index.ts';
import { errorText, type VideoFile } from './video-file.ts';

/** A packet that the decoder refused. */
export interface DecodeProblem {
  /** Position of the packet in decoding order. */
  readonly position: number;
  readonly text: string;
}

/** Problems of a decoding pass. */
export interface DecodeOutcome {
  readonly problems: readonly DecodeProblem[];
  /** Number of frames that the decoder marked as damaged. */
  readonly damaged: number;
}

/** A range of packets decoded in one pass, and the requested frames in it (indices of `index.shown`). */
interface PacketRange {
  readonly start: number;
  end: number;
  readonly frameIndices: Set<number>;
}

/**
 * Decodes frames by their indices in `file.index.shown` (ascending) and passes each to `onFrame` in that order; a frame
 * is valid only during the call. After a refused packet, frames are skipped up to the next point where decoding can
 * start, because what a decoder produces after an error is not what was recorded.
 */
export function decodeFrames(
  file: VideoFile,
  frameIndices: readonly number[],
  onFrame: (frameIndex: number, frame: Frame) => void,
): DecodeOutcome {
  const problems: DecodeProblem[] = [];
  const decoding = iterateFrames(file, frameIndices, problems);
  let next = decoding.next();
  for (; next.done !== true; next = decoding.next()) onFrame(next.value.frameIndex, next.value.frame);
  return { problems, damaged: next.value };
}

/** A decoded frame, valid until the next one is requested. */
export interface DecodedVideoFrame {
  readonly frameIndex: number;
  readonly frame: Frame;
}

/**
 * Yields the frames at these indices in `file.index.shown` (ascending), as `decodeFrames` does, and returns the number
 * of damaged ones; refused packets are added to `problems`. The file must not be used otherwise meanwhile.
 */
export function* iterateFrames(
  file: VideoFile,
  frameIndices: readonly number[],
  problems: DecodeProblem[],
): Generator<DecodedVideoFrame, number, undefined> {
  let damaged = 0;
  for (const range of computeRanges(file, frameIndices)) damaged += yield* decodeRange(file, range, problems);
  return damaged;
}

/** Returns the number of packets that must be decoded for these frames. */
export function decodingCost(file: VideoFile, frameIndices: readonly number[]): number {
  let packets = 0;
  for (const range of computeRanges(file, frameIndices)) packets += range.end - range.start + 1;
  return packets;
}

/** Returns the positions of the packets that must be decoded for these frames, ascending. */
export function packetsFor(file: VideoFile, frameIndices: readonly number[]): number[] {
  const found = new Set<number>();
  for (const { start, end } of computeRanges(file, frameIndices))
    for (let position = start; position <= end; position++) found.add(position);
  return [...found].sort((a, b) => a - b);
}

function computeRanges(file: VideoFile, frameIndices: readonly number[]): PacketRange[] {
  const all: PacketRange[] = [];
  for (const frameIndex of frameIndices) {
    const position = file.index.shown[frameIndex];
    const start = findStartPacket(file, position);
    const last = all.at(-1);
    if (last !== undefined && start >= last.start && start <= last.end + 1) {
      last.end = Math.max(last.end, position);
      last.frameIndices.add(frameIndex);
    } else all.push({ start, end: position, frameIndices: new Set([frameIndex]) });
  }
  return all;
}

/**
 * Returns the packet at which decoding of a frame starts: the last key packet before it both in decoding and in
 * presentation order.
 */
function findStartPacket(file: VideoFile, position: number): number {
  const { key, pts } = file.index;
  let at = position;
  while (at > 0 && !(key[at] === 1 && pts[at] <= pts[position])) at--;
  return at;
}

function* decodeRange(
  file: VideoFile,
  range: PacketRange,
  problems: DecodeProblem[],
): Generator<DecodedVideoFrame, number, undefined> {
  const missing = new Set(range.frameIndices);
  let damaged = 0;
  let nextInOrder = range.start;
  const receive = function* (): Generator<DecodedVideoFrame, number, undefined> {
    for (;;) {
      const code = file.decoder.receiveFrameSync(file.frame);
      if (code < 0) return code;
      const frameIndex = file.index.stamped ? findFrameIndex(file, file.frame) : nextInOrder++;
      if (isDamaged(file.frame)) damaged++;
      else if (missing.delete(frameIndex)) yield { frameIndex: frameIndex, frame: file.frame };
      file.frame.unref();
    }
  };
  if (!seekTo(file, range.start)) {
    problems.push({ position: range.start, text: 'seeking to this position failed' });
    return damaged;
  }
  while (file.cursor <= range.end && missing.size > 0) {
    const position = file.cursor;
    if (!readNext(file)) {
      problems.push({ position, text: 'the file ends before this packet' });
      break;
    }
    const sent = file.decoder.sendPacketSync(file.packet);
    file.packet.unref();
    file.isDecoderEmpty = false;
    const code = sent < 0 ? sent : yield* receive();
    if (code >= 0 || code === AVERROR_EAGAIN || code === AVERROR_EOF) continue;
    problems.push({ position, text: errorText(code) });
    const key = file.index.key.indexOf(1, position + 1);
    if (key < 0 || key > range.end || !seekTo(file, key)) {
      resetDecoder(file);
      return damaged;
    }
    nextInOrder = key;
  }
  if (missing.size > 0) {
    file.decoder.sendPacketSync(null);
    yield* receive();
    resetDecoder(file);
  }
  return damaged;
}

function isDamaged(frame: Frame): boolean {
  return frame.decodeErrorFlags !== 0 || (frame.flags & AV_FRAME_FLAG_CORRUPT) !== 0;
}

function findFrameIndex(file: VideoFile, frame: Frame): number {
  const stamp = Number(frame.bestEffortTimestamp);
  const frameIndex = firstFrameAt(file.index, file.index.shown, stamp);
  return file.index.pts[file.index.shown[frameIndex]] === stamp ? frameIndex : -1;
}

/** Up to this many packets are read and skipped instead of seeking. */
const maxReadGap = 8;

/** Makes `position` the next packet and resets the decoder. Returns false if the packet cannot be reached. */
function seekTo(file: VideoFile, position: number): boolean {
  resetDecoder(file);
  const gap = position - file.cursor;
  if (file.cursor < 0 || gap < 0 || gap > maxReadGap) seek(file, position);
  while (file.cursor >= 0 && file.cursor < position) {
    if (!readNext(file)) return false;
    file.packet.unref();
  }
  return file.cursor === position;
}

/** Reads the packet at `cursor` into `file.packet`. Returns false at the end of the file. */
function readNext(file: VideoFile): boolean {
  if (file.hasPacket) file.hasPacket = false;
  else if (!readPacket(file)) {
    file.cursor = -1;
    return false;
  }
  file.cursor++;
  return true;
}

/** Flushes the decoder unless it is empty. */
function resetDecoder(file: VideoFile): void {
  if (!file.isDecoderEmpty) file.decoder.flushBuffers();
  file.isDecoderEmpty = true;
}

function readPacket(file: VideoFile): boolean {
  while (file.format.readFrameSync(file.packet) >= 0) {
    reportProgress();
    if (file.packet.streamIndex === file.stream.index) return true;
    file.packet.unref();
  }
  return false;
}

/** Seeks to the packet at `position` or to one before it; if seeking fails, to the start of the file. */
function seek(file: VideoFile, position: number): void {
  dropPacket(file);
  if (file.index.stamped && (trySeek(file, position, position) || trySeek(file, 0, position))) return;
  file.reopen();
  file.cursor = 0;
}

function trySeek(file: VideoFile, position: number, atMost: number): boolean {
  dropPacket(file);
  file.cursor = -1;
  const stamp = BigInt(Math.trunc(file.index.pts[position]));
  if (file.format.seekFrameSync(file.stream.index, stamp, AVSEEK_FLAG_BACKWARD) < 0) return false;
  if (!readPacket(file)) return false;
  const found = findPosition(file.index, file.packet);
  if (found < 0 || found > atMost) {
    file.packet.unref();
    return false;
  }
  file.hasPacket = true;
  file.cursor = found;
  return true;
}

function dropPacket(file: VideoFile): void {
  if (file.hasPacket) file.packet.unref();
  file.hasPacket = false;
}
