/** Characters of a window: 96 bytes in base85, as `minRun_chars` of base64. */
const window_chars = 120;

/**
 * Minimum shares of a window that encoded bytes have: upper case, lower case, digits, other characters, and changes
 * between these classes. Bytes in Ascii85, Z85 and RFC 1924 have 0.3, 0.25, 0.12, 0.27 and 0.7; JSON, code and prose have
 * few capitals and few changes.
 */
const minShares = { upper: 0.15, lower: 0.1, digit: 0.03, other: 0.12, changes: 0.55 } as const;
/** Minimum number of different characters in a window that are neither letters nor digits. */
const minOtherChars = 8;

type CharClass = 'upper' | 'lower' | 'digit' | 'other';

/** Returns whether a text contains a long run of base85 or a similar code, contiguous or in lines. */
export function holdsBase85(text: string): boolean {
  if (text.length < window_chars) return false;
  return (text.replace(/\s+/g, '').match(printableRuns) ?? []).some(holdsInRun);
}

const printableRuns = new RegExp(`[!-~]{${window_chars},}`, 'g');

function holdsInRun(run: string): boolean {
  const counts = { upper: 0, lower: 0, digit: 0, other: 0, changes: 0 };
  const others = new Map<string, number>();
  const add = (at: number, by: 1 | -1) => {
    const charClass = classOf(run.charCodeAt(at));
    counts[charClass] += by;
    if (charClass === 'other') others.set(run[at], (others.get(run[at]) ?? 0) + by);
    if (others.get(run[at]) === 0) others.delete(run[at]);
    // A change counts for the later of its two characters.
    if (at > 0 && charClass !== classOf(run.charCodeAt(at - 1))) counts.changes += by;
  };
  for (let at = 0; at < run.length; at++) {
    add(at, 1);
    if (at >= window_chars) add(at - window_chars, -1);
    if (at >= window_chars - 1 && others.size >= minOtherChars && reachesShares(counts)) return true;
  }
  return false;
}

const reachesShares = (counts: Readonly<Record<keyof typeof minShares, number>>): boolean =>
  counts.upper >= minShares.upper * window_chars &&
  counts.lower >= minShares.lower * window_chars &&
  counts.digit >= minShares.digit * window_chars &&
  counts.other >= minShares.other * window_chars &&
  counts.changes >= minShares.changes * window_chars;

function classOf(code: number): CharClass {
  if (code >= 65 && code <= 90) return 'upper';
  if (code >= 97 && code <= 122) return 'lower';
  return code >= 48 && code <= 57 ? 'digit' : 'other';
}
