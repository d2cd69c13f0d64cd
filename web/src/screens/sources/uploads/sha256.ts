const constants = new Uint32Array(64);
const start = new Uint32Array(8);
fillFromPrimes();

/** Incremental SHA-256. The Web Crypto API hashes only complete buffers, and only over HTTPS. */
export class Sha256 {
  readonly #state = start.slice();
  readonly #block = new Uint8Array(64);
  readonly #words = new Uint32Array(64);
  #held = 0;
  #length = 0;

  /** Adds bytes to the hash. */
  add(bytes: Uint8Array): void {
    this.#length += bytes.length;
    for (let at = 0; at < bytes.length; ) {
      const taken = bytes.subarray(at, at + 64 - this.#held);
      this.#block.set(taken, this.#held);
      this.#held += taken.length;
      at += taken.length;
      if (this.#held < 64) return;
      this.#mix();
      this.#held = 0;
    }
  }

  /** Returns the hash in lower-case hexadecimal; no bytes can be added afterwards. */
  digest(): string {
    const bits = BigInt(this.#length) * 8n;
    const padding = new Uint8Array((this.#held < 56 ? 56 : 120) - this.#held + 8);
    padding[0] = 0x80;
    new DataView(padding.buffer).setBigUint64(padding.length - 8, bits);
    this.add(padding);
    return Array.from(this.#state, (word) => word.toString(16).padStart(8, '0')).join('');
  }

  #mix(): void {
    const words = this.#words;
    const block = this.#block;
    for (let i = 0, at = 0; i < 16; i++, at += 4)
      words[i] = (block[at]! << 24) | (block[at + 1]! << 16) | (block[at + 2]! << 8) | block[at + 3]!;
    for (let i = 16; i < 64; i++) {
      const before = words[i - 15]!;
      const after = words[i - 2]!;
      const small = turned(before, 7) ^ turned(before, 18) ^ (before >>> 3);
      const large = turned(after, 17) ^ turned(after, 19) ^ (after >>> 10);
      words[i] = words[i - 16]! + small + words[i - 7]! + large;
    }
    const state = this.#state;
    let [a, b, c, d, e, f, g, h] = state as unknown as Eight;
    for (let i = 0; i < 64; i++) {
      const mixed = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
      const one = (h + mixed + ((e & f) ^ (~e & g)) + constants[i]! + words[i]!) | 0;
      const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + one) | 0;
      d = c;
      c = b;
      b = a;
      a = (one + two) | 0;
    }
    for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = state[i]! + word;
  }
}

type Eight = [number, number, number, number, number, number, number, number];

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/**
 * Computes the constants: the first 32 bits of the fractions of cube and square roots of the first primes (FIPS
 * 180-4).
 */
function fillFromPrimes(): void {
  const fraction = (root: number) => Math.floor((root - Math.floor(root)) * 2 ** 32);
  for (let number = 2, found = 0; found < 64; number++) {
    let isPrime = true;
    for (let by = 2; by * by <= number; by++) if (number % by === 0) isPrime = false;
    if (!isPrime) continue;
    if (found < 8) start[found] = fraction(Math.sqrt(number));
    constants[found++] = fraction(Math.cbrt(number));
  }
}
