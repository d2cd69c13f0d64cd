import { messageOf } from '#core';
import { begin, idle, underWatch } from '#io/processes';
import type { FromChild, MediaRequest, ToChild } from '../protocol.ts';
import { answerRequest } from './answer-request.ts';
import { leaveStream } from './decode/current-stream.ts';
import { isOfThisMachine } from './of-this-machine.ts';
import { closeVideoFiles } from './video/open-files.ts';

/** The media process: answers requests one after the other and ends when its parent is gone. */
underWatch(() => {
  send({ kind: 'ready' });
  void work();
});

const waiting: ToChild[] = [];
let working = true;

process.on('message', (message: ToChild) => {
  waiting.push(message);
  if (!working) void work();
});

async function work(): Promise<void> {
  working = true;
  for (let message = waiting.shift(); message !== undefined; message = waiting.shift()) {
    begin();
    if (message.kind === 'close-files') await closeFiles();
    else send(await answer(message));
    idle();
    // Lets messages and the loss of the parent through between two requests.
    await new Promise((resolve) => setImmediate(resolve));
  }
  working = false;
}

async function closeFiles(): Promise<void> {
  await leaveStream();
  closeVideoFiles();
}

async function answer(message: MediaRequest): Promise<FromChild> {
  try {
    return { kind: 'answer', id: message.id, answer: await answerRequest(message) };
  } catch (thrown) {
    return { kind: 'failed', id: message.id, reason: messageOf(thrown), here: isOfThisMachine(thrown) };
  }
}

function send(message: FromChild): void {
  if (process.connected) process.send?.(message);
}
