/** Characters in a row from which a run counts as long: 96 bytes. A SHA-512 has 128 hexadecimal digits. */
export const longestRun = 128;
const hexDigest = /^(?:[0-9a-f]{1,128}|[0-9A-F]{1,128})$/;
const ruler = /^[-=]+$/;

/** Whether one token is an unbroken run of base64, plain or for addresses, that is too long to be a name. */
export function isLongRun(token: string): boolean {
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
export const readsAsWord = (word: string): boolean => inWords.test(word) && !/([A-Za-z])\1{3}/.test(word);
