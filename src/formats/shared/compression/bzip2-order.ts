/** Room for one block of at most `size` bytes: five bytes for each. */
export class BlockRoom {
  /** The bytes of the block: sorted by what follows each, then, once `undoOrder` went over them, in their order. */
  readonly bytes: Uint8Array;
  /** For each place, the byte there in the lowest eight bits; above them the place that follows it. */
  readonly links: Uint32Array;

  constructor(size: number) {
    this.bytes = new Uint8Array(size);
    this.links = new Uint32Array(size);
  }
}

/** Bytes that one call of a loop goes through: V8 makes code fast that is called often sooner than a loop that is not. */
export const stride = 1024;

/**
 * Undoes the sorting of the first `length` bytes, of which `counts` says how often each occurs. The walk jumps through
 * the whole block and waits for memory at nearly each byte. Two or four bytes a step, a second walk from the end
 * backwards, or the walks of two or four blocks side by side touch more memory and took as long (measured).
 */
export function undoOrder(room: BlockRoom, length: number, counts: Uint32Array, origin: number): void {
  const starts = startsOf(counts);
  for (let from = 0; from < length; from += stride)
    linkSuccessors(room, from, Math.min(from + stride, length), starts);
  let place = origin;
  for (let from = 0; from < length; from += stride)
    place = walk(room, from, Math.min(from + stride, length), place);
}

/** Where each byte's links start. */
function startsOf(counts: Uint32Array): Uint32Array {
  const starts = new Uint32Array(256);
  for (let byte = 1; byte < 256; byte++) starts[byte] = starts[byte - 1] + counts[byte - 1];
  return starts;
}

function linkSuccessors({ bytes, links }: BlockRoom, from: number, to: number, starts: Uint32Array): void {
  for (let i = from; i < to; i++) {
    const byte = bytes[i];
    links[starts[byte]++] = (i << 8) | byte;
  }
}

/** Writes the bytes of [from, to), the first of which lies at `start`; where the next lies. */
function walk({ bytes, links }: BlockRoom, from: number, to: number, start: number): number {
  let place = start;
  for (let i = from; i < to; i++) {
    const link = links[place];
    bytes[i] = link;
    place = link >>> 8;
  }
  return place;
}
