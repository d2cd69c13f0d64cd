import { AVSEEK_FLAG_BACKWARD } from 'node-av/constants';
import { advance } from '#io/processes';
import { positionOf } from './packet-index.ts';
import type { VideoFile } from './video-file.ts';

/** Packets read past rather than sought over. */
const gapWorthReading = 8;

/** Makes `position` the next packet and empties the decoder. False when the packet cannot be reached. */
export function moveTo(file: VideoFile, position: number): boolean {
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
export function readNext(file: VideoFile): boolean {
  if (file.held) file.held = false;
  else if (!readPacket(file)) {
    file.cursor = -1;
    return false;
  }
  file.cursor++;
  return true;
}

/** Forgets what the decoder holds. */
export function restart(file: VideoFile): void {
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
