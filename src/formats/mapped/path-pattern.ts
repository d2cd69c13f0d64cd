/** Slot of the episode name in a pattern; `{episode:06d}` pads numbers to six digits. */
export const episodeSlot = /\{episode(?::0?(\d{1,2})d?)?\}/;

/** A pattern of paths, in which `*` stands for any characters of a name and `{episode}` for the name of an episode. */
export class PathPattern {
  readonly #parts: readonly NamePattern[];

  constructor(pattern: string) {
    this.#parts = pattern.split('/').map(parseName);
  }

  /** Number of folders and names in a matching path. */
  get depth(): number {
    return this.#parts.length;
  }

  /** Returns the episode of a path, `''` for a pattern without a slot; `null` if the path does not match. */
  match(path: string): string | null {
    const names = path.split('/');
    if (names.length !== this.#parts.length) return null;
    let episode = '';
    for (const [at, part] of this.#parts.entries()) {
      const found = matchName(part, names[at]);
      if (found === null) return null;
      if (found !== '') episode = found;
    }
    return episode;
  }
}

/** One part of a path pattern; `after` is `null` if the episode is not in it. */
interface NamePattern {
  readonly before: string;
  readonly after: string | null;
}

function parseName(part: string): NamePattern {
  const slot = episodeSlot.exec(part);
  if (slot === null) return { before: part, after: null };
  return { before: part.slice(0, slot.index), after: part.slice(slot.index + slot[0].length) };
}

/** Returns the longest episode behind the longest match of what stands before it. */
function matchName({ before, after }: NamePattern, name: string): string | null {
  if (after === null) return matchesGlob(before, name) ? '' : null;
  const end = after.includes('*')
    ? indexes(name.length, 0).find((at) => matchesGlob(after, name.slice(at)))
    : name.length - after.length;
  if (end === undefined || end < 1 || !matchesGlob(after, name.slice(end))) return null;
  const start = before.includes('*')
    ? indexes(end - 1, 0).find((at) => matchesGlob(before, name.slice(0, at)))
    : before.length;
  if (start === undefined || start >= end || !matchesGlob(before, name.slice(0, start))) return null;
  return name.slice(start, end);
}

const indexes = (from: number, to: number): number[] =>
  Array.from({ length: from - to + 1 }, (_, at) => from - at);

/** True if a text matches a pattern in which `*` stands for any characters. Takes time in proportion to both lengths. */
export function matchesGlob(pattern: string, text: string): boolean {
  if (!pattern.includes('*')) return pattern === text;
  let [at, from] = [0, 0];
  let [star, matched] = [-1, 0];
  while (from < text.length) {
    if (pattern[at] === '*') {
      [star, matched] = [at++, from];
    } else if (at < pattern.length && pattern[at] === text[from]) {
      at++;
      from++;
    } else if (star >= 0) {
      // The last star takes one more character.
      at = star + 1;
      from = ++matched;
    } else return false;
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}

const numericOrder = new Intl.Collator('en', { numeric: true });
/** Digits that are compared; more than the nanoseconds of a time. */
const fractionDigits = 20;

/** Compares names for sorting, by the numbers in them; `5.25` is before `5.3`, as times in seconds are. */
export function compareNames(a: string, b: string): number {
  return numericOrder.compare(padFraction(a), padFraction(b));
}

/** Pads decimal fractions to equal length; digits between two points, as in `1.2.3`, are none. */
const padFraction = (name: string): string =>
  name.replace(/(?<!\d\.\d+\.)(?<=\d\.)\d+(?!\d|\.\d)/g, (digits) => digits.padEnd(fractionDigits, '0'));
