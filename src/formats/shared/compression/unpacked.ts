/** Result of unpacking: all bytes, or those unpacked before the data ended or broke. */
export interface UnpackResult {
  readonly bytes: Uint8Array;
  /** Reason why the rest is missing; `null` if everything was unpacked. */
  readonly fault: RangeError | null;
}

/** Output buffer while unpacking: the first `filled` bytes of `output` are valid. */
export interface UnpackBuffer {
  readonly output: Uint8Array;
  filled: number;
}

/**
 * Runs `unpack` on a buffer of `size` bytes and returns what it wrote; a RangeError that it throws is returned as
 * `fault`, other errors are rethrown.
 */
export function unpackInto(size: number, unpack: (to: UnpackBuffer) => void): UnpackResult {
  const to: UnpackBuffer = { output: new Uint8Array(size), filled: 0 };
  let fault: RangeError | null = null;
  try {
    unpack(to);
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    fault = thrown;
  }
  return { bytes: to.output.subarray(0, to.filled), fault };
}
