const slabValues = 262_144;

/**
 * Hands out typed arrays cut from larger ones: an episode's few kilobytes cost a view, not an allocation each. A slab
 * lives as long as any array cut from it.
 */
export class Slab {
  #narrow = new Float32Array(0);
  #narrowUsed = 0;
  #wide = new Float64Array(0);
  #wideUsed = 0;

  /** Everything handed out so far may be handed out again. */
  rewind(): void {
    this.#narrowUsed = 0;
    this.#wideUsed = 0;
  }

  float32(length: number): Float32Array {
    if (length > slabValues / 4) return new Float32Array(length);
    if (this.#narrowUsed + length > this.#narrow.length) {
      this.#narrow = new Float32Array(slabValues);
      this.#narrowUsed = 0;
    }
    this.#narrowUsed += length;
    return this.#narrow.subarray(this.#narrowUsed - length, this.#narrowUsed);
  }

  float64(length: number): Float64Array {
    if (length > slabValues / 8) return new Float64Array(length);
    if (this.#wideUsed + length > this.#wide.length) {
      this.#wide = new Float64Array(slabValues / 2);
      this.#wideUsed = 0;
    }
    this.#wideUsed += length;
    return this.#wide.subarray(this.#wideUsed - length, this.#wideUsed);
  }
}
