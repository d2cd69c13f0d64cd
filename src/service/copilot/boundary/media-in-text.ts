import { namesMediaFile } from './media-path.ts';
import { plainText } from './plain-text.ts';

/** What may not reach a chat provider. */
export type MediaKind = 'bytes' | 'data_uri' | 'base64' | 'media_path';

/** What of media a text holds; null: nothing. */
export function mediaInText(text: string): Exclude<MediaKind, 'bytes'> | null {
  if (text.length < 4) return null;
  const plain = plainText(text);
  if (holdsDataUri(plain)) return 'data_uri';
  if (namesMediaFile(plain)) return 'media_path';
  return holdsBase64(text) || (plain !== text && holdsBase64(plain)) ? 'base64' : null;
}

/** Whether a text holds a long run of base64, unbroken or split over lines, blanks, quotes and commas. */
export function holdsBase64(text: string): boolean {
  if (text.length < longestRun) return false;
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{128,}=*/g)) if (isLongRun(run)) return true;
  return holdsSplitBase64(tokensOf(text));
}

/** `data:` with the comma that its data begin after. */
const strict = /(?<![\p{L}\p{N}_])data:(?:[\w.+-]+\/[\w.+-]+)?(?:;[^,;\s]*)*,/iu;
/** As browsers read it, which overlook blanks; only with a type that data really have. */
const loose =
  /(?<![\p{L}\p{N}_])data:(?:application|audio|font|image|message|model|multipart|text|video)\/[\w.+*-]+(?:;[\w.=+"-]*)*[,;]/iu;

/** Whether a text holds a `data:` URI. The text is plain (`plainText`). */
function holdsDataUri(plain: string): boolean {
  return strict.test(plain) || loose.test(plain.replace(/\s+/g, ''));
}

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

/** Characters in a row from which a run counts as long: 96 bytes. A SHA-512 has 128 hexadecimal digits. */
const longestRun = 128;
const hexDigest = /^(?:[0-9a-f]{1,128}|[0-9A-F]{1,128})$/;
const ruler = /^[-=]+$/;

/** Whether one token is an unbroken run of base64, plain or for addresses, that is too long to be a name. */
function isLongRun(token: string): boolean {
  const body = token.replace(/=+$/, '');
  if (body.length < longestRun || ruler.test(body) || hexDigest.test(body)) return false;
  return !readsAsPath(body);
}

/** Long paths and names are made of the same letters: words of one case between single separators. */
function readsAsPath(body: string): boolean {
  const words = body.replace(/^\//, '').split(/[/_-]/);
  if (words.length < body.length / 24) return false;
  return words.every((word) => word.length <= 40 && (word !== '' || words.length < 3) && readsAsWord(word));
}

const inWords =
  /^(?:[A-Z]?[a-z]*\d{0,10}|[A-Z]+\d{0,10}|\d+|[0-9a-f]+|[a-z0-9]{26}|[a-z]*(?:[A-Z][a-z]+)+\d{0,4})$/;

/** A word, an id or a number, as names are made of. */
const readsAsWord = (word: string): boolean => inWords.test(word) && !/([A-Za-z])\1{3}/.test(word);
