import type { FilePart } from '../../../media-port.ts';

/** Thrown where bytes of a file are needed that are not there yet; null: all of them. */
export class WantsParts extends Error {
  readonly parts: readonly FilePart[] | null;

  constructor(parts: readonly FilePart[] | null) {
    super('more of the file is needed');
    this.parts = parts;
  }
}

/** Parts that lie nearer to each other are asked for as one. */
const nearBytes = 4096;

/** The parts of a file that are there; of one that is there whole, every byte. */
export class Present {
  readonly #parts: readonly FilePart[];

  /** Ascending, not touching each other. */
  constructor(parts: readonly FilePart[]) {
    this.#parts = parts;
  }

  has([from, to]: FilePart): boolean {
    return from >= to || this.#parts.some((part) => part[0] <= from && part[1] >= to);
  }

  /** Throws `WantsParts` with what of these is not there. */
  demand(parts: readonly FilePart[]): void {
    const missing = parts.filter((part) => !this.has(part)).sort((a, b) => a[0] - b[0]);
    if (missing.length > 0) throw new WantsParts(joined(missing));
  }
}

function joined(parts: readonly FilePart[]): FilePart[] {
  const all: [number, number][] = [];
  for (const [from, to] of parts) {
    const last = all.at(-1);
    if (last !== undefined && from <= last[1] + nearBytes) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
  }
  return all;
}
