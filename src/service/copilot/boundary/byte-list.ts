/** Minimum length of a list of numbers that counts as media. */
const minByteSequence = 256;

const decimalByte = '(?:25[0-5]|2[0-4]\\d|[01]?\\d?\\d)';
const hexByte = '(?:0x)?[0-9a-f]{2}';
/** Spaces, commas, brackets and quotes. Not a point: `0.5` is no byte. */
const separators = '[\\s,;|<>()\\[\\]{}"\'`\\\\]+';

const listOf = (byte: string, separator: string): RegExp =>
  new RegExp(`(?<![\\w.+-])(?:${byte}${separator}){${minByteSequence - 1},}${byte}(?![\\w.])`, 'gi');
/** Numbers with one of these signs between all of them, or written `7.0, 9.0`. Dates and clock times mix signs. */
const uniformSeparators = '[-/:+~=*&#@!%]|\\.0,?\\s*';
const uniformList = new RegExp(
  `(?<![\\w.+-])${decimalByte}(${uniformSeparators})${decimalByte}(?:\\1${decimalByte}){${minByteSequence - 2},}(?!\\w)`,
  'gi',
);
const lists = [
  { pattern: listOf(decimalByte, separators), radix: 10 },
  { pattern: uniformList, radix: 10 },
  { pattern: listOf(hexByte, '(?:[:-]|\\s|,)+'), radix: 16 },
] as const;

/** Returns whether a text contains a list of 256 or more bytes, as decimal or hexadecimal numbers. */
export const holdsByteList = (text: string): boolean =>
  text.length >= 2 * minByteSequence && maskByteLists(text, '') !== text;

/** Returns a text with every list of 256 or more bytes replaced by a placeholder. */
export const maskByteLists = (text: string, placeholder: string): string =>
  lists.reduce(
    (masked, { pattern, radix }) =>
      masked.replace(pattern, (list) => (isListOfBytes(list, radix) ? placeholder : list)),
    text,
  );

function isListOfBytes(list: string, radix: number): boolean {
  const values = (list.match(/\w+/g) ?? []).map((word) => Number.parseInt(word, radix));
  return isByteSequence(values);
}

/** Returns whether these are 256 or more integers from 0 to 255 that are not strictly increasing, as indexes are. */
export function isByteSequence(values: readonly unknown[]): boolean {
  if (values.length < minByteSequence || !values.every(isByte)) return false;
  return values.some((value, at) => at > 0 && Number(value) <= Number(values[at - 1]));
}

/** Returns whether a value is an integer from 0 to 255. */
export const isByte = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255;
