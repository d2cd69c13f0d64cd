import { parentPort } from 'node:worker_threads';
import { unpackBzip2 } from '../bzip2.ts';

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

/** A thread that unpacks bzip2: each task is answered with one message, in order. */
const port = parentPort!;

port.on('message', ({ packed, size }: UnpackTask) => {
  const { bytes, fault } = unpackBzip2(packed, size);
  const answer: FromUnpackThread = { bytes, fault: fault?.message ?? null };
  port.postMessage(answer, [bytes.buffer as ArrayBuffer]);
});

port.postMessage('ready' satisfies FromUnpackThread);
