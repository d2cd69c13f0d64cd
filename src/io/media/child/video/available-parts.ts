import type { ByteRange } from '../../media-port.ts';

/** Error for bytes of a file that are needed but not present; null: the whole file. */
export class MissingPartsError extends Error {
  readonly parts: readonly ByteRange[] | null;

  constructor(parts: readonly ByteRange[] | null) {
    super('more of the file is needed');
    this.parts = parts;
  }
}

/** Missing parts with smaller gaps are requested as one. */
const mergeGapBytes = 4096;

/** The present byte ranges of a file. */
export class AvailableParts {
  readonly #parts: readonly ByteRange[];

  /** Ranges must be ascending with gaps between them. */
  constructor(parts: readonly ByteRange[]) {
    this.#parts = parts;
  }

  /** True if all bytes of the range are present; also for an empty range. */
  has([from, to]: ByteRange): boolean {
    return from >= to || this.#parts.some((part) => part[0] <= from && part[1] >= to);
  }

  /** Throws MissingPartsError with the ranges that are not present, near ones merged; does nothing if all are. */
  require(parts: readonly ByteRange[]): void {
    const missing = parts.filter((part) => !this.has(part)).sort((a, b) => a[0] - b[0]);
    if (missing.length > 0) throw new MissingPartsError(mergeNear(missing));
  }
}

function mergeNear(parts: readonly ByteRange[]): ByteRange[] {
  const all: [number, number][] = [];
  for (const [from, to] of parts) {
    const last = all.at(-1);
    if (last !== undefined && from <= last[1] + mergeGapBytes) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
  }
  return all;
}
