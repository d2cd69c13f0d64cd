/** Words share so many slots, with a sign of their own (feature hashing, Weinberger et al. 2009). */
const slots = 256;

/**
 * A text as a vector of length 1: how often each of its words stands in it. Words as search takes them, letters and
 * digits that stand together in lower case. Null where it has none, or where all cancel out.
 */
export function textVector(text: string): Float32Array | null {
  const vector = new Float32Array(slots);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const code = codeOf(word);
    vector[code % slots] += code & 0x80000000 ? -1 : 1;
  }
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length > 0 ? vector.map((value) => value / length) : null;
}

/** FNV-1a of 32 bits over the UTF-16 units. */
function codeOf(word: string): number {
  let code = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) code = Math.imul(code ^ word.charCodeAt(i), 0x01000193);
  return code >>> 0;
}
