/** One group of numbers to take out of every message: a stream in the making. */
export interface NumberTap {
  /** Field paths in the order of the stream's dimensions; `points[].positions` runs through an array of structs. */
  readonly paths: readonly string[];
  /** In an array of structs: keep only what its first or last element holds (the start or goal of a trajectory). */
  readonly only?: 'first' | 'last';
}

/** What to take out of a message. Everything else is passed over without being built. */
export interface Taps {
  /** Path of the capture time: `header.stamp`; null when the message has none. */
  readonly stamp: string | null;
  readonly numbers: readonly NumberTap[];
  /** Paths of single strings. */
  readonly texts: readonly string[];
  /** Path of a list of strings that names the numbers (`name`, `joints[].name`), or null. */
  readonly names: string | null;
  /** Path of the byte array that is the payload (a picture), or null. */
  readonly payload: string | null;
}

/** Most numbers one group takes from one message; longer arrays are pixels, ranges or samples, not joints. */
export const maxGroupNumbers = 4096;

/**
 * What one message gave, reused from message to message: read it before decoding the next.
 * `counts[g]` numbers of group g lie at the start of `numbers[g]`; -1: more than were taken.
 */
export interface Extraction {
  stamped: boolean;
  stampSec: number;
  stampNsec: number;
  readonly numbers: readonly Float64Array[];
  readonly counts: Int32Array;
  text(index: number): string;
  /** The names list differs from the last message's (or this is the first). */
  namesChanged: boolean;
  names(): readonly string[];
  payload(): Uint8Array | null;
}

/** Decodes messages of one type, one after the other. */
export interface MessageDecoder {
  readonly out: Extraction;
  /**
   * Decodes the message at [start, end) of `bytes`, over which `view` lies. False: the bytes do not fit the schema.
   * May throw RangeError for the same reason.
   */
  decode(bytes: Uint8Array, view: DataView, start: number, end: number): boolean;
}

/** Takes nothing: to learn whether bytes fit a definition. */
export function emptyTaps(): Taps {
  return { stamp: null, numbers: [], texts: [], names: null, payload: null };
}
