import { type BigIntStats, statSync } from 'node:fs';

/** Two changes of a file may bear one time where clocks of file systems tick this slowly. */
const fineTick_ms = 50;
/** The same where times are whole seconds: FAT counts by twos. */
const coarseTick_ms = 2100;

/**
 * What the system says of a file that it would say otherwise had anybody written to it: size, number, and the times of
 * writing and of change, the latter of which no program sets. Null where the file is gone, or where it may have been
 * changed since `before_ms` (by `Date.now()`), so that nobody knows which content was read after that.
 */
export function fileStamp(path: string, before_ms: number): string | null {
  let stats: BigIntStats;
  try {
    stats = statSync(path, { bigint: true });
  } catch {
    return null;
  }
  const { size, ino, mtimeNs, ctimeNs } = stats;
  const tick_ms = ctimeNs % 1_000_000_000n === 0n ? coarseTick_ms : fineTick_ms;
  if (Number(ctimeNs / 1_000_000n) > before_ms - tick_ms) return null;
  return `${size} ${ino} ${mtimeNs} ${ctimeNs}`;
}
