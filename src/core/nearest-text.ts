const maxCandidates = 10_000;
const maxLength = 200;
/** Largest edit distance of a similar text, as a fraction of the longer one. */
const maxDifference = 0.4;

/**
 * Returns the candidate (of the first 10,000) that is spelled most like a text, ignoring case; `null` if each differs
 * in over 40 % of its characters and in its last path part. It serves hints at typing mistakes.
 */
export function nearestText(text: string, candidates: Iterable<string>): string | null {
  const wanted = text.toLowerCase().slice(0, maxLength);
  let best: { candidate: string; distance: number } | null = null;
  let count = 0;
  for (const candidate of candidates) {
    if (++count > maxCandidates) break;
    const other = candidate.toLowerCase().slice(0, maxLength);
    const limit = lastPart(other) === lastPart(wanted) ? 1 : maxDifference;
    const distance = editDistance(wanted, other) / Math.max(1, wanted.length, other.length);
    if (distance <= limit && (best === null || distance < best.distance)) best = { candidate, distance };
  }
  return best?.candidate ?? null;
}

const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Levenshtein distance: the number of characters to insert, delete or replace. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++)
      row.push(Math.min(row[j - 1] + 1, previous[j] + 1, previous[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
    previous = row;
  }
  return previous[b.length];
}
