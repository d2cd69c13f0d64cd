import { parentPort } from 'node:worker_threads';
import { unpackBzip2 } from './bzip2.ts';

/** Task for an unpack thread. */
export interface UnpackTask {
  readonly packed: Uint8Array;
  /** Maximum unpacked size in bytes. */
  readonly size: number;
}

/** Messages of a thread: `ready` first, then one answer per task, in order. */
export type FromUnpackThread = 'ready' | UnpackAnswer;

/** Result of one task. */
export interface UnpackAnswer {
  readonly bytes: Uint8Array;
  /** Message of `UnpackResult.fault`; `null` on success. */
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
