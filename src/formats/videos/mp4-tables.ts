import type { FileWindow } from '#io/sources';

/** A box of an ISO base media file (ISO/IEC 14496-12): its type and the range of its content. */
interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Yields the top-level boxes of a file; stops at an invalid box. The end of a box may lie beyond the end of the file.
 */
export async function* readTopBoxes(file: FileWindow): AsyncGenerator<Box> {
  let position = 0;
  while (position + 8 <= file.size) {
    const head = Buffer.from(await file.read(position, 16));
    const box = head.length < 8 ? null : parseBox(head, 0, file.size - position);
    if (box === null) return;
    yield { type: box.type, start: position + box.start, end: position + box.end };
    position += box.end;
  }
}

/** Returns the boxes in `bytes` from `start` to `end`, up to the first invalid one. */
export function listBoxes(bytes: Buffer, start = 0, end = bytes.length): Box[] {
  const boxes: Box[] = [];
  let position = start;
  while (position + 8 <= end) {
    const box = parseBox(bytes.subarray(position, end), 0, end - position);
    if (box === null) break;
    boxes.push({ type: box.type, start: position + box.start, end: Math.min(end, position + box.end) });
    position += box.end;
  }
  return boxes;
}

function parseBox(bytes: Buffer, at: number, remaining: number): Box | null {
  const size = bytes.readUInt32BE(at);
  const type = bytes.toString('latin1', at + 4, at + 8);
  if (size === 0) return { type, start: 8, end: remaining };
  if (size !== 1) return size < 8 ? null : { type, start: 8, end: size };
  if (bytes.length < at + 16) return null;
  const large = Number(bytes.readBigUInt64BE(at + 8));
  return large < 16 ? null : { type, start: 16, end: large };
}

/** Returns the content of the first box along a path of types; `null` if there is none. */
export function findBox(bytes: Buffer, ...path: readonly string[]): Buffer | null {
  let content: Buffer = bytes;
  for (const type of path) {
    const box = listBoxes(content).find((candidate) => candidate.type === type);
    if (box === undefined) return null;
    content = content.subarray(box.start, box.end);
  }
  return content;
}

/** Edit list of a track in its ticks: ticks subtracted from every time, and the visible range. */
export interface Edit {
  readonly shift: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Parses an edit list; no shift and an unlimited range without a visible edit.
 *
 * Empty edits delay the track; the first other edit gives the start and length of the visible range.
 */
export function parseEdit(elst: Buffer | null, movieScale: number, timescale: number): Edit {
  const noEdit = { shift: 0, from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  if (elst === null || elst.length < 8) return noEdit;
  const long = elst[0] === 1;
  const size = long ? 20 : 12;
  let delay = 0;
  for (let at = 8; at + size <= elst.length; at += size) {
    const duration = long ? Number(elst.readBigUInt64BE(at)) : elst.readUInt32BE(at);
    const start = long ? Number(elst.readBigInt64BE(at + 8)) : elst.readInt32BE(at + 4);
    const ticks = (duration / movieScale) * timescale;
    if (start === -1) delay += ticks;
    else return { shift: start - delay, from: start, to: duration === 0 ? noEdit.to : start + ticks };
  }
  return noEdit;
}

const maxFrames = 50_000_000;

/**
 * Returns the presentation time of each frame in ticks, in decoding order, from the `stts` and `ctts` tables; empty
 * without `stts` or above 50 million frames.
 */
export function presentationTicks(stts: Buffer | null, ctts: Buffer | null): Float64Array {
  if (stts === null) return new Float64Array(0);
  let count = 0;
  for (let at = 8; at + 8 <= stts.length; at += 8) count += stts.readUInt32BE(at);
  if (count > maxFrames) return new Float64Array(0);
  const times = new Float64Array(count);
  let time = 0;
  let i = 0;
  for (let at = 8; at + 8 <= stts.length; at += 8) {
    const delta = stts.readUInt32BE(at + 4);
    for (const end = i + stts.readUInt32BE(at); i < end; i++) {
      times[i] = time;
      time += delta;
    }
  }
  if (ctts !== null) addOffsets(times, ctts);
  return times;
}

/** Adds composition offsets, which are signed in practice, whatever the version of the box. */
function addOffsets(times: Float64Array, ctts: Buffer): void {
  let i = 0;
  for (let at = 8; at + 8 <= ctts.length && i < times.length; at += 8) {
    const offset = ctts.readInt32BE(at + 4);
    for (const end = Math.min(times.length, i + ctts.readUInt32BE(at)); i < end; i++) times[i] += offset;
  }
}
