import type { MediaKind } from '#core/api';
import { holdsBase85 } from './base85.ts';
import { holdsByteList } from './byte-list.ts';
import { containsMediaPath, normalizeText } from './media-path.ts';

/** Returns the first kind of media that is found in a text, also if it is escaped; null if there is none. */
export function mediaInText(text: string): MediaKind | null {
  if (text.length < 4) return null;
  const plain = normalizeText(text);
  if (holdsDataUri(plain)) return 'data_uri';
  if (containsMediaPath(plain)) return 'media_path';
  if (holdsByteList(plain)) return 'bytes';
  if (holdsBase64(text) || (plain !== text && holdsBase64(plain))) return 'base64';
  return holdsBase85(plain) ? 'base85' : null;
}

/**
 * Returns whether a text contains a long run of base64, contiguous or split by line breaks, spaces, quotes and
 * commas.
 */
function holdsBase64(text: string): boolean {
  if (text.length < minRun_chars) return false;
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{128,}=*/g)) if (isLongRun(run)) return true;
  return holdsSplitBase64(splitTokens(text));
}

/** A `data:` URI up to the comma before its data. */
const dataUriPattern = /(?<![\p{L}\p{N}_])data:(?:[\w.+-]+\/[\w.+-]+)?(?:;[^,;\s]*)*,/iu;
/** As browsers read it, ignoring spaces; only with a real media type. */
const spacedDataUriPattern =
  /(?<![\p{L}\p{N}_])data:(?:application|audio|font|image|message|model|multipart|text|video)\/[\w.+*-]+(?:;[\w.=+"-]*)*[,;]/iu;

/** Returns whether a normalized text contains a `data:` URI. */
function holdsDataUri(plain: string): boolean {
  return dataUriPattern.test(plain) || spacedDataUriPattern.test(plain.replace(/\s+/g, ''));
}

/** A whole digest or signature: 32 or 64 bytes. */
const digest = /^(?:[A-Za-z0-9+/_-]{43}=|[A-Za-z0-9+/_-]{86}==)$/;
const inAlphabet = /^[A-Za-z0-9+/_-]+={0,2}$/;
const maxDigests = 8;

/** Splits a text at spaces, quotes, commas, backslashes and brackets, without empty tokens. */
export const splitTokens = (text: string): readonly string[] =>
  text.split(/[\s"',\\[\]]+/).filter((token) => token !== '');

/**
 * Returns whether consecutive tokens are pieces of one base64 text: lines, list items or words. Names, ids and prose
 * use the same letters, so a window of `minRun_chars` letters must also look like encoded bytes.
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
  const counted = digests <= maxDigests ? pieces.filter((piece) => !digest.test(piece)) : pieces;
  const bare = counted.map((piece) => piece.replace(/=+$/, ''));
  const text = bare.join('');
  if (text.length < minRun_chars) return false;
  const sums = runningSums(
    text,
    bare.flatMap((piece) => new Array<boolean>(piece.length).fill(isUnlikeName(piece))),
  );
  for (let from = 0; from + minRun_chars <= text.length; from++) {
    const required = windowShare(sums.strange, from) >= minStrangeShare ? minSharesStrange : minShares;
    if (reachesShares(sums, from, required)) return true;
    if (required === minSharesStrange && repeatsLetters(text, from)) return true;
  }
  return false;
}

/** Returns the share within the window of `minRun_chars` letters that begins at `from`. */
const windowShare = (sum: Uint32Array, from: number): number =>
  (sum[from + minRun_chars] - sum[from]) / minRun_chars;

const reachesShares = (sums: Sums, from: number, least: MinShares): boolean =>
  windowShare(sums.upper, from) >= least.upper &&
  windowShare(sums.lower, from) >= least.lower &&
  windowShare(sums.turns, from) >= least.turns &&
  windowShare(sums.capitals, from) >= least.capitals &&
  windowShare(sums.digits, from) >= least.digits;

/** Returns whether a token cannot be part of a name. */
const isUnlikeName = (piece: string): boolean =>
  /[+]|\/\/|__/.test(piece) || !piece.split(/[/_-]/).every(looksLikeWord);

type Sums = Readonly<Record<'upper' | 'lower' | 'digits' | 'turns' | 'capitals' | 'strange', Uint32Array>>;

/**
 * Returns prefix sums per letter: upper case, lower case, digits, changes of case, consecutive capitals, and letters
 * of pieces that are no names.
 */
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
    const now = letterClass(text.charCodeAt(at));
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

function letterClass(code: number): 'U' | 'l' | '0' | '+' {
  if (code >= 65 && code <= 90) return 'U';
  if (code >= 97 && code <= 122) return 'l';
  return code >= 48 && code <= 57 ? '0' : '+';
}

type MinShares = Readonly<Record<Exclude<keyof Sums, 'strange'>, number>>;

/** Minimum shares that encoded bytes have: both cases, changes between them, consecutive capitals, digits. */
const minShares: MinShares = { upper: 0.2, lower: 0.15, turns: 0.16, capitals: 0.05, digits: 0.04 };
/** Lower minimum shares if most pieces cannot be words: slowly growing numbers have few consecutive capitals. */
const minSharesStrange: MinShares = { ...minShares, lower: 0.05, turns: 0.1, capitals: 0, digits: 0 };
const minStrangeShare = 0.8;
const minLetterShare = 0.4;

const groupLength = 4;

/**
 * Returns whether a window holds repeating bytes, as of a black image: every group of letters equals the one before,
 * or one letter dominates.
 */
function repeatsLetters(text: string, from: number): boolean {
  if (from % (minRun_chars / groupLength) !== 0) return false;
  const window = text.slice(from, from + minRun_chars);
  if (window.slice(groupLength) === window.slice(0, -groupLength) && /[^-]/.test(window)) return true;
  const counts = new Map<string, number>();
  for (const letter of window.replaceAll('-', '')) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return Math.max(0, ...counts.values()) >= minLetterShare * minRun_chars;
}

/** Characters from which a run counts as long: 96 bytes. A SHA-512 has 128 hexadecimal digits. */
const minRun_chars = 128;
const hexDigest = /^(?:[0-9a-f]{1,128}|[0-9A-F]{1,128})$/;
const rulerLine = /^[-=]+$/;

/** Returns whether a token is a contiguous run of base64 or base64url that is too long to be a name. */
function isLongRun(token: string): boolean {
  const body = token.replace(/=+$/, '');
  if (body.length < minRun_chars || rulerLine.test(body) || hexDigest.test(body)) return false;
  return !looksLikePath(body);
}

/** Returns whether a text looks like a path or name: words of one case between single separators. */
function looksLikePath(body: string): boolean {
  const words = body.replace(/^\//, '').split(/[/_-]/);
  if (words.length < body.length / 24) return false;
  return words.every((word) => word.length <= 40 && (word !== '' || words.length < 3) && looksLikeWord(word));
}

const wordPattern =
  /^(?:[A-Z]?[a-z]*\d{0,10}|[A-Z]+\d{0,10}|\d+|[0-9a-f]+|[a-z0-9]{26}|[a-z]*(?:[A-Z][a-z]+)+\d{0,4})$/;

/** Returns whether a text looks like a word, id or number of a name. */
const looksLikeWord = (word: string): boolean => wordPattern.test(word) && !/([A-Za-z])\1{3}/.test(word);
