import { AV_FRAME_FLAG_CORRUPT, AVERROR_EAGAIN, AVERROR_EOF, AVSEEK_FLAG_BACKWARD } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import { advance } from '#io/processes';
import { placeFrom, positionOf } from './packet-index.ts';
import { errorText, type VideoFile } from './video-file.ts';

export interface DecodeProblem {
  /** Position of the packet that was refused. */
  readonly position: number;
  readonly text: string;
}

export interface DecodeOutcome {
  readonly problems: readonly DecodeProblem[];
  /** Frames the decoder gave and marked as damaged. */
  readonly damaged: number;
}

/** A range of packets that is decoded in one go, and the frames wanted of it (places in `index.shown`). */
interface PacketRange {
  readonly start: number;
  end: number;
  readonly wanted: Set<number>;
}

/**
 * Decodes the frames at the given places of `file.index.shown` (ascending), and hands each over in that order; a
 * frame is valid only during the call. A packet the decoder refuses costs the frames up to the next place where
 * decoding can start: what a decoder makes up after an error is not what was recorded.
 */
export function decodeFrames(
  file: VideoFile,
  places: readonly number[],
  onFrame: (place: number, frame: Frame) => void,
): DecodeOutcome {
  const problems: DecodeProblem[] = [];
  const decoding = framesIn(file, places, problems);
  let next = decoding.next();
  for (; next.done !== true; next = decoding.next()) onFrame(next.value.place, next.value.frame);
  return { problems, damaged: next.value };
}

/** A frame as it was decoded, valid until the next one is asked for. */
export interface DecodedPlace {
  readonly place: number;
  readonly frame: Frame;
}

/** The same one by one; nobody else may use the file meanwhile. Returns how many frames were damaged. */
export function* framesIn(
  file: VideoFile,
  places: readonly number[],
  problems: DecodeProblem[],
): Generator<DecodedPlace, number, undefined> {
  let damaged = 0;
  for (const range of rangesOf(file, places)) damaged += yield* decodeRange(file, range, problems);
  return damaged;
}

/** Packets that decoding the places takes. */
export function decodingCost(file: VideoFile, places: readonly number[]): number {
  let packets = 0;
  for (const range of rangesOf(file, places)) packets += range.end - range.start + 1;
  return packets;
}

/** Positions of the packets that decoding the places takes, ascending. */
export function packetsFor(file: VideoFile, places: readonly number[]): number[] {
  const found = new Set<number>();
  for (const { start, end } of rangesOf(file, places))
    for (let position = start; position <= end; position++) found.add(position);
  return [...found].sort((a, b) => a - b);
}

function rangesOf(file: VideoFile, places: readonly number[]): PacketRange[] {
  const all: PacketRange[] = [];
  for (const place of places) {
    const position = file.index.shown[place];
    const start = startOf(file, position);
    const last = all.at(-1);
    if (last !== undefined && start >= last.start && start <= last.end + 1) {
      last.end = Math.max(last.end, position);
      last.wanted.add(place);
    } else all.push({ start, end: position, wanted: new Set([place]) });
  }
  return all;
}

/** The packet to start from for a frame: the nearest key packet before it in the file and on the screen. */
function startOf(file: VideoFile, position: number): number {
  const { key, pts } = file.index;
  let at = position;
  while (at > 0 && !(key[at] === 1 && pts[at] <= pts[position])) at--;
  return at;
}

function* decodeRange(
  file: VideoFile,
  range: PacketRange,
  problems: DecodeProblem[],
): Generator<DecodedPlace, number, undefined> {
  const missing = new Set(range.wanted);
  let damaged = 0;
  let nextInOrder = range.start;
  const receive = function* (): Generator<DecodedPlace, number, undefined> {
    for (;;) {
      const code = file.decoder.receiveFrameSync(file.frame);
      if (code < 0) return code;
      const place = file.index.stamped ? placeOf(file, file.frame) : nextInOrder++;
      if (isDamaged(file.frame)) damaged++;
      else if (missing.delete(place)) yield { place, frame: file.frame };
      file.frame.unref();
    }
  };
  if (!moveTo(file, range.start)) {
    problems.push({ position: range.start, text: 'the place could not be found by seeking' });
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
    file.fresh = false;
    const code = sent < 0 ? sent : yield* receive();
    if (code >= 0 || code === AVERROR_EAGAIN || code === AVERROR_EOF) continue;
    problems.push({ position, text: errorText(code) });
    const key = file.index.key.indexOf(1, position + 1);
    if (key < 0 || key > range.end || !moveTo(file, key)) {
      restart(file);
      return damaged;
    }
    nextInOrder = key;
  }
  if (missing.size > 0) {
    file.decoder.sendPacketSync(null);
    yield* receive();
    restart(file);
  }
  return damaged;
}

function isDamaged(frame: Frame): boolean {
  return frame.decodeErrorFlags !== 0 || (frame.flags & AV_FRAME_FLAG_CORRUPT) !== 0;
}

function placeOf(file: VideoFile, frame: Frame): number {
  const stamp = Number(frame.bestEffortTimestamp);
  const place = placeFrom(file.index, file.index.shown, stamp);
  return file.index.pts[file.index.shown[place]] === stamp ? place : -1;
}

/** Packets read past rather than sought over. */
const gapWorthReading = 8;

/** Makes `position` the next packet and empties the decoder. False when the packet cannot be reached. */
function moveTo(file: VideoFile, position: number): boolean {
  restart(file);
  const gap = position - file.cursor;
  if (file.cursor < 0 || gap < 0 || gap > gapWorthReading) seek(file, position);
  while (file.cursor >= 0 && file.cursor < position) {
    if (!readNext(file)) return false;
    file.packet.unref();
  }
  return file.cursor === position;
}

/** Reads the packet at `cursor` into `file.packet`. */
function readNext(file: VideoFile): boolean {
  if (file.held) file.held = false;
  else if (!readPacket(file)) {
    file.cursor = -1;
    return false;
  }
  file.cursor++;
  return true;
}

/** Forgets what the decoder holds. */
function restart(file: VideoFile): void {
  if (!file.fresh) file.decoder.flushBuffers();
  file.fresh = true;
}

function readPacket(file: VideoFile): boolean {
  while (file.format.readFrameSync(file.packet) >= 0) {
    advance();
    if (file.packet.streamIndex === file.stream.index) return true;
    file.packet.unref();
  }
  return false;
}

/** Seeks to the packet at `position` or to one before it; where seeking misses, to the start of the file. */
function seek(file: VideoFile, position: number): void {
  dropHeld(file);
  if (file.index.stamped && (trySeek(file, position, position) || trySeek(file, 0, position))) return;
  file.reopen();
  file.cursor = 0;
}

function trySeek(file: VideoFile, position: number, atMost: number): boolean {
  dropHeld(file);
  file.cursor = -1;
  const stamp = BigInt(Math.trunc(file.index.pts[position]));
  if (file.format.seekFrameSync(file.stream.index, stamp, AVSEEK_FLAG_BACKWARD) < 0) return false;
  if (!readPacket(file)) return false;
  const found = positionOf(file.index, file.packet);
  if (found < 0 || found > atMost) {
    file.packet.unref();
    return false;
  }
  file.held = true;
  file.cursor = found;
  return true;
}

function dropHeld(file: VideoFile): void {
  if (file.held) file.packet.unref();
  file.held = false;
}
