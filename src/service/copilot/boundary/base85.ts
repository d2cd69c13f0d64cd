/** Length of the examined window: 96 bytes in base85, the same number as `minRun_chars` of base64. */
const window_chars = 120;

/**
 * Minimum shares of a window that encoded bytes have: upper case, lower case, digits, other characters, and changes
 * between these classes. Bytes in Ascii85, Z85 and RFC 1924 have 0.3, 0.25, 0.12, 0.27 and 0.7; JSON, code and prose
 * have
 * few capitals and few changes.
 */
const minShares = { upper: 0.15, lower: 0.1, digit: 0.03, other: 0.12, changes: 0.55 } as const;
/** Minimum number of different characters in a window that are neither letters nor digits. */
const minOtherChars = 8;

/** Returns whether a text contains a long run of base85 or a similar code, contiguous or in lines. */
export function holdsBase85(text: string): boolean {
  if (text.length < window_chars) return false;
  return (text.replace(/\s+/g, '').match(printableRuns) ?? []).some(holdsInRun);
}

const printableRuns = new RegExp(`[!-~]{${window_chars},}`, 'g');

/** Classes of characters as indexes of counts; the last count is that of changes between classes. */
const [upper, lower, digit, other, changes] = [0, 1, 2, 3, 4];

/** Class of each ASCII character. */
const classOf = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 65 && code <= 90) return upper;
  if (code >= 97 && code <= 122) return lower;
  return code >= 48 && code <= 57 ? digit : other;
});

/** Returns true if any window of a run of printable ASCII characters looks like base85, in time proportional to its length. */
function holdsInRun(run: string): boolean {
  const counts = new Int32Array(5);
  const occurrences = new Int32Array(128);
  let otherChars = 0;
  const add = (at: number, by: 1 | -1): void => {
    const code = run.charCodeAt(at);
    const charClass = classOf[code];
    counts[charClass] += by;
    occurrences[code] += by;
    if (charClass === other && occurrences[code] === (by === 1 ? 1 : 0)) otherChars += by;
    // A change counts for the later of its two characters.
    if (at > 0 && charClass !== classOf[run.charCodeAt(at - 1)]) counts[changes] += by;
  };
  for (let at = 0; at < run.length; at++) {
    add(at, 1);
    if (at >= window_chars) add(at - window_chars, -1);
    if (at >= window_chars - 1 && otherChars >= minOtherChars && reachesShares(counts)) return true;
  }
  return false;
}

const reachesShares = (counts: Int32Array): boolean =>
  counts[upper] >= minShares.upper * window_chars &&
  counts[lower] >= minShares.lower * window_chars &&
  counts[digit] >= minShares.digit * window_chars &&
  counts[other] >= minShares.other * window_chars &&
  counts[changes] >= minShares.changes * window_chars;
