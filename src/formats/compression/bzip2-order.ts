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

/**
 * Undoes the sorting of the first `length` bytes, of which `counts` says how often each occurs. The walk jumps through
 * the whole block and waits for memory at nearly each byte. Two or four bytes a step, or a second walk from the end
 * backwards, touch more memory and took as long (measured).
 */
export function undoOrder(room: BlockRoom, length: number, counts: Uint32Array, origin: number): void {
  const { bytes, links } = room;
  linkSuccessors(room, length, counts);
  let place = origin;
  for (let i = 0; i < length; i++) {
    const link = links[place];
    bytes[i] = link;
    place = link >>> 8;
  }
}

function linkSuccessors({ bytes, links }: BlockRoom, length: number, counts: Uint32Array): void {
  const starts = new Uint32Array(256);
  for (let byte = 1; byte < 256; byte++) starts[byte] = starts[byte - 1] + counts[byte - 1];
  for (let i = 0; i < length; i++) {
    const byte = bytes[i];
    links[starts[byte]++] = (i << 8) | byte;
  }
}
