/** What a packed input gave: all of it, or what came out before it ended or broke. */
export interface Unpacked {
  readonly bytes: Uint8Array;
  /** Why the rest did not come out; null: everything did. */
  readonly fault: RangeError | null;
}

/** Where unpacking has come to: the first `filled` bytes of `output` are there. */
export interface Unpacking {
  readonly output: Uint8Array;
  filled: number;
}

/** Has `unpack` fill up to `size` bytes, and keeps what it had filled when it threw a RangeError. */
export function unpackInto(size: number, unpack: (to: Unpacking) => void): Unpacked {
  const to: Unpacking = { output: new Uint8Array(size), filled: 0 };
  let fault: RangeError | null = null;
  try {
    unpack(to);
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    fault = thrown;
  }
  return { bytes: to.output.subarray(0, to.filled), fault };
}
