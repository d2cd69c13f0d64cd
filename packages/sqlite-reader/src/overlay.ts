import type { ByteRanges } from './source.ts';

/** Pages that stand in a file beside the database and count in place of its own. */
export interface Overlay {
  readonly file: ByteRanges;
  /** Where in that file each page starts, by its number. */
  readonly places: ReadonlyMap<number, number>;
  /** Pages the database has once they count. */
  readonly pages: number;
}

/** What a log or journal beside a database gave. */
export interface OverlayResult {
  /** null: nothing of it counts. */
  readonly overlay: Omit<Overlay, 'file'> | null;
  /** Why nothing, or less than everything, counts; null: nothing is amiss. */
  readonly problem: string | null;
}

/** More pages than this are not remembered (4 GiB of usual pages). */
export const maxOverlayPages = 1_000_000;

/** Fills `into` from `position`; how much the file had. */
export async function readFully(file: ByteRanges, into: Uint8Array, position: number): Promise<number> {
  let filled = 0;
  while (filled < into.length) {
    const { bytesRead } = await file.read(into, filled, into.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}
