import { parentPort } from 'node:worker_threads';
import { misbehave } from './misbehave.ts';

/** A thread of runs that does with every order what its key says. */
const port = parentPort!;

port.on('message', (message) => {
  if (message.type !== 'request') return;
  port.postMessage({ type: 'event', event: { type: 'begin', place: 3 } });
  misbehave(message.request.key);
});
