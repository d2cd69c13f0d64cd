const [zero, nine, point, minus, plus, space, tab] = [48, 57, 46, 45, 43, 32, 9];
/** Powers of ten that a double holds exactly. */
const exactPowers = Float64Array.from({ length: 23 }, (_, power) => 10 ** power);
const exactMantissa = 2 ** 53;

/**
 * The number that a field holds, rounded as JavaScript rounds it; NaN where it holds none. Numbers of up to 15 digits,
 * which is what most recorders write, are put together from the bytes: a product or quotient of two exact doubles is
 * rounded once, so it is the nearest.
 */
export function parseNumber(bytes: Buffer, from: number, to: number, decimal: number = point): number {
  let at = from;
  let end = to;
  while (at < end && (bytes[at] === space || bytes[at] === tab)) at++;
  while (end > at && (bytes[end - 1] === space || bytes[end - 1] === tab)) end--;
  const start = at;
  const negative = bytes[at] === minus;
  if (negative || bytes[at] === plus) at++;
  let mantissa = 0;
  let digits = 0;
  let scale = 0;
  let pointed = false;
  for (; at < end; at++) {
    const byte = bytes[at];
    if (byte >= zero && byte <= nine) {
      mantissa = mantissa * 10 + byte - zero;
      if (mantissa > 0 || pointed) digits++;
      if (pointed) scale++;
    } else if (byte === decimal && !pointed) pointed = true;
    else break;
  }
  const plain = at === end && mantissa < exactMantissa && digits <= 15 && scale <= 22;
  if (plain && at > start && (digits > 0 || bytes[at - 1] === zero)) {
    const value = scale === 0 ? mantissa : mantissa / exactPowers[scale];
    return negative ? -value : value;
  }
  return slowNumber(bytes.toString('latin1', start, end), decimal);
}

const numeric = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Everything else that is written for a number: exponents, long fractions, truth values, infinities. */
function slowNumber(text: string, decimal: number): number {
  const said = decimal === point ? text : text.replace(String.fromCharCode(decimal), '.');
  if (numeric.test(said)) return Number(said);
  const lower = said.toLowerCase();
  if (lower === 'true') return 1;
  if (lower === 'false') return 0;
  if (/^\+?inf(inity)?$/.test(lower)) return Number.POSITIVE_INFINITY;
  return /^-inf(inity)?$/.test(lower) ? Number.NEGATIVE_INFINITY : Number.NaN;
}

/** What is written where nothing was measured. */
const missing = /^\s*(nan|[+-]?1\.#(ind|qnan|snan)\d*|null|none|na|n\/a|<na>|-)?\s*$/i;

/** Whether a field says itself that it holds no number. */
export function saysMissing(text: string): boolean {
  return missing.test(text);
}
