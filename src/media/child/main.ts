import { Worker } from 'node:worker_threads';
import { messageOf } from '#kernel';
import { type FromChild, limitsVariable, type ToChild } from '../protocol.ts';
import { begin, idle, state } from './advance.ts';
import { answerRequest } from './answer-request.ts';
import { isOfThisMachine } from './of-this-machine.ts';

/** The media process: answers requests one after the other and ends when its parent is gone. */
const watchdog = new Worker(new URL('./watchdog.ts', import.meta.url), {
  workerData: { limits: JSON.parse(process.env[limitsVariable]!), parent: process.ppid, state },
  execArgv: [],
});
// Work begins once somebody watches: decoding does not let go of this thread.
watchdog.once('message', () => {
  watchdog.unref();
  send({ kind: 'ready' });
  void work();
});

const waiting: ToChild[] = [];
let working = true;

// Nothing is worth tidying up, and FFmpeg's log callback aborts a process that exits in good order.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', (message: ToChild) => {
  waiting.push(message);
  if (!working) void work();
});

async function work(): Promise<void> {
  working = true;
  for (let message = waiting.shift(); message !== undefined; message = waiting.shift()) {
    begin();
    send(await answer(message));
    idle();
    // Lets messages and the loss of the parent through between two requests.
    await new Promise((resolve) => setImmediate(resolve));
  }
  working = false;
}

async function answer(message: ToChild): Promise<FromChild> {
  try {
    return { kind: 'answer', id: message.id, answer: await answerRequest(message) };
  } catch (thrown) {
    return { kind: 'failed', id: message.id, reason: messageOf(thrown), here: isOfThisMachine(thrown) };
  }
}

function send(message: FromChild): void {
  if (process.connected) process.send?.(message);
}
