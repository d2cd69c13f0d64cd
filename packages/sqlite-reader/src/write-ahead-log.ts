import { maxOverlayPages, type OverlayResult, readFully } from './overlay.ts';
import type { ByteRanges } from './source.ts';

const headBytes = 32;
const frameHeadBytes = 24;
const blockBytes = 1024 * 1024;

/**
 * Reads the write-ahead log beside a database (https://www.sqlite.org/fileformat2.html#walformat): frames count up to
 * the last whole transaction, as long as their salts are the log's and the running checksum holds.
 */
export async function readWriteAheadLog(
  file: ByteRanges,
  bytes: number,
  page_bytes: number,
): Promise<OverlayResult> {
  const head = new Uint8Array(headBytes);
  if ((await readFully(file, head, 0)) < headBytes) return nothing('shorter than its header');
  const view = new DataView(head.buffer);
  const magic = view.getUint32(0);
  if (magic >>> 1 !== 0x377f0682 >>> 1) return nothing('not a write-ahead log');
  if (view.getUint32(8) !== page_bytes) {
    return nothing(`page size of ${view.getUint32(8)} bytes instead of ${page_bytes}`);
  }
  const sum = new RunningChecksum((magic & 1) === 0);
  sum.add(view, 0, 24);
  if (!sum.equals(view, 24)) return nothing('wrong header checksum');
  return readFrames(file, bytes, page_bytes, { salts: [view.getUint32(16), view.getUint32(20)], sum });
}

async function readFrames(
  file: ByteRanges,
  bytes: number,
  page_bytes: number,
  log: { readonly salts: readonly [number, number]; readonly sum: RunningChecksum },
): Promise<OverlayResult> {
  const frameBytes = frameHeadBytes + page_bytes;
  const block = new Uint8Array(Math.max(1, Math.floor(blockBytes / frameBytes)) * frameBytes);
  const view = new DataView(block.buffer);
  const places = new Map<number, number>();
  let open = new Map<number, number>();
  let pages = 0;
  for (let position = headBytes; position + frameBytes <= bytes; position += block.length) {
    const filled = await readFully(file, block, position);
    for (let at = 0; at + frameBytes <= filled; at += frameBytes) {
      if (!isNext(view, at, page_bytes, log)) return result(places, pages, null);
      open.set(view.getUint32(at), position + at + frameHeadBytes);
      const committed = view.getUint32(at + 4);
      if (places.size + open.size > maxOverlayPages) {
        return result(places, pages, `more than ${maxOverlayPages} pages; the rest was ignored`);
      }
      if (committed === 0) continue;
      for (const [page, place] of open) places.set(page, place);
      open = new Map();
      pages = committed;
    }
    if (filled < block.length) break;
  }
  return result(places, pages, null);
}

function isNext(
  view: DataView,
  at: number,
  page_bytes: number,
  { salts, sum }: { readonly salts: readonly [number, number]; readonly sum: RunningChecksum },
): boolean {
  if (view.getUint32(at + 8) !== salts[0] || view.getUint32(at + 12) !== salts[1]) return false;
  sum.add(view, at, at + 8);
  sum.add(view, at + frameHeadBytes, at + frameHeadBytes + page_bytes);
  return sum.equals(view, at + 16) && view.getUint32(at) > 0;
}

function result(places: ReadonlyMap<number, number>, pages: number, problem: string | null): OverlayResult {
  return { overlay: pages === 0 ? null : { places, pages }, problem };
}

const nothing = (problem: string): OverlayResult => ({ overlay: null, problem });

/** Two sums over 32-bit words, each fed by the other. */
class RunningChecksum {
  readonly #little: boolean;
  #first = 0;
  #second = 0;

  constructor(little: boolean) {
    this.#little = little;
  }

  add(view: DataView, from: number, to: number): void {
    const little = this.#little;
    let first = this.#first;
    let second = this.#second;
    for (let at = from; at < to; at += 8) {
      first = (first + view.getInt32(at, little) + second) | 0;
      second = (second + view.getInt32(at + 4, little) + first) | 0;
    }
    this.#first = first;
    this.#second = second;
  }

  /** The sums themselves are always stored big-endian. */
  equals(view: DataView, at: number): boolean {
    return view.getInt32(at) === this.#first && view.getInt32(at + 4) === this.#second;
  }
}
