/** Pictures that are drawn by the page itself (SVG) are figures, not recordings. */
const embedded = /data:(?:image\/(?!svg)|video\/|audio\/)[a-z0-9.+-]{1,40}/i;
/** Longer than the longest match. */
const overlap = 64;

/** Looks for pictures, video or sound that are written into a text as `data:` addresses, piece by piece. */
export class MediaWatch {
  #tail = '';
  /** What was found first; null: nothing so far. */
  found: string | null = null;

  add(piece: Uint8Array): void {
    if (this.found !== null) return;
    const text =
      this.#tail + Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1');
    this.found = embedded.exec(text)?.[0] ?? null;
    this.#tail = text.slice(-overlap);
  }
}
