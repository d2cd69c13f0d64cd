import { longestRun, readsAsWord } from './base64-run.ts';

/** Of a digest or a signature, whole: 32 or 64 bytes. */
const digest = /^(?:[A-Za-z0-9+/_-]{43}=|[A-Za-z0-9+/_-]{86}==)$/;
const inAlphabet = /^[A-Za-z0-9+/_-]+={0,2}$/;
const mostDigests = 8;

/** What lies between blanks, quotes, commas and brackets. */
export const tokensOf = (text: string): readonly string[] =>
  text.split(/[\s"',\\[\]]+/).filter((token) => token !== '');

/**
 * Whether tokens that follow each other are pieces of one base64 text: lines of it, items of a list, words. Names, ids
 * and prose are of the same letters, so a stretch of `longestRun` letters must also look like encoded bytes.
 */
export function holdsSplitBase64(tokens: Iterable<string>): boolean {
  let pieces: string[] = [];
  const looks = () => pieces.length > 1 && looksEncoded(pieces);
  for (const token of tokens) {
    if (inAlphabet.test(token)) {
      pieces.push(token);
      continue;
    }
    if (looks()) return true;
    pieces = [];
  }
  return looks();
}

function looksEncoded(pieces: readonly string[]): boolean {
  const digests = pieces.filter((piece) => digest.test(piece)).length;
  const counted = digests <= mostDigests ? pieces.filter((piece) => !digest.test(piece)) : pieces;
  const bare = counted.map((piece) => piece.replace(/=+$/, ''));
  const text = bare.join('');
  if (text.length < longestRun) return false;
  const sums = runningSums(
    text,
    bare.flatMap((piece) => new Array<boolean>(piece.length).fill(isStrange(piece))),
  );
  for (let from = 0; from + longestRun <= text.length; from++) {
    const least = shareOf(sums.strange, from) >= mostlyStrange ? leastOfStrange : leastOfAny;
    if (reaches(sums, from, least)) return true;
    if (least === leastOfStrange && repeatsLetters(text, from)) return true;
  }
  return false;
}

/** Share of the window of `longestRun` letters that begins there. */
const shareOf = (sum: Uint32Array, from: number): number => (sum[from + longestRun] - sum[from]) / longestRun;

const reaches = (sums: Sums, from: number, least: Least): boolean =>
  shareOf(sums.upper, from) >= least.upper &&
  shareOf(sums.lower, from) >= least.lower &&
  shareOf(sums.turns, from) >= least.turns &&
  shareOf(sums.capitals, from) >= least.capitals &&
  shareOf(sums.digits, from) >= least.digits;

/** No name is made of such pieces. */
const isStrange = (piece: string): boolean =>
  /[+]|\/\/|__/.test(piece) || !piece.split(/[/_-]/).every(readsAsWord);

type Sums = Readonly<Record<'upper' | 'lower' | 'digits' | 'turns' | 'capitals' | 'strange', Uint32Array>>;

/** Up to each letter: how many of each case, digits, changes of case, capitals behind capitals, letters of
 * strange pieces. */
function runningSums(text: string, strange: readonly boolean[]): Sums {
  const make = () => new Uint32Array(text.length + 1);
  const sums = {
    upper: make(),
    lower: make(),
    digits: make(),
    turns: make(),
    capitals: make(),
    strange: make(),
  };
  let before = '';
  for (let at = 0; at < text.length; at++) {
    const now = caseOf(text.charCodeAt(at));
    const turns = (before === 'U' && now === 'l') || (before === 'l' && now === 'U');
    sums.upper[at + 1] = sums.upper[at] + Number(now === 'U');
    sums.lower[at + 1] = sums.lower[at] + Number(now === 'l');
    sums.digits[at + 1] = sums.digits[at] + Number(now === '0');
    sums.turns[at + 1] = sums.turns[at] + Number(turns);
    sums.capitals[at + 1] = sums.capitals[at] + Number(before === 'U' && now === 'U');
    sums.strange[at + 1] = sums.strange[at] + Number(strange[at]);
    before = now;
  }
  return sums;
}

function caseOf(code: number): 'U' | 'l' | '0' | '+' {
  if (code >= 65 && code <= 90) return 'U';
  if (code >= 97 && code <= 122) return 'l';
  return code >= 48 && code <= 57 ? '0' : '+';
}

type Least = Readonly<Record<Exclude<keyof Sums, 'strange'>, number>>;

/** Least shares of what encoded bytes have: both cases, changes between them, capitals in a row, digits. */
const leastOfAny: Least = { upper: 0.2, lower: 0.15, turns: 0.16, capitals: 0.05, digits: 0.04 };
/** Where most pieces cannot be words, fewer signs are enough: numbers that grow slowly have few capitals in a row. */
const leastOfStrange: Least = { ...leastOfAny, lower: 0.05, turns: 0.1, capitals: 0, digits: 0 };
const mostlyStrange = 0.8;
const mostOfOneLetter = 0.4;

const group = 4;

/** Bytes that repeat, as of a black picture: every group of letters is the one before, or one letter is most of them. */
function repeatsLetters(text: string, from: number): boolean {
  if (from % (longestRun / group) !== 0) return false;
  const window = text.slice(from, from + longestRun);
  if (window.slice(group) === window.slice(0, -group) && /[^-]/.test(window)) return true;
  const counts = new Map<string, number>();
  for (const letter of window.replaceAll('-', '')) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return Math.max(0, ...counts.values()) >= mostOfOneLetter * longestRun;
}
