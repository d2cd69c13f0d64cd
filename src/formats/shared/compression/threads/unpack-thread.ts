import { parentPort } from 'node:worker_threads';
import { unpackBzip2 } from '../bzip2.ts';
import type { FromUnpackThread, UnpackTask } from './unpack-messages.ts';

/** A thread that unpacks bzip2: each task is answered with one message, in order. */
const port = parentPort!;

port.on('message', ({ packed, size }: UnpackTask) => {
  const { bytes, fault } = unpackBzip2(packed, size);
  const answer: FromUnpackThread = { bytes, fault: fault?.message ?? null };
  port.postMessage(answer, [bytes.buffer as ArrayBuffer]);
});

port.postMessage('ready' satisfies FromUnpackThread);
