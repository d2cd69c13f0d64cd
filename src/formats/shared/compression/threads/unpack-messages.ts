/** What a thread is to unpack. */
export interface UnpackTask {
  readonly packed: Uint8Array;
  /** Bytes it may unpack to. */
  readonly size: number;
}

/** First of all a thread says that it is there; then what came of each task, in their order. */
export type FromUnpackThread = 'ready' | UnpackAnswer;

export interface UnpackAnswer {
  readonly bytes: Uint8Array;
  /** What is wrong, as `Unpacked` says it; null: nothing. */
  readonly fault: string | null;
}
