import { parentPort } from 'node:worker_threads';

/** A thread that says it is there, and never answers. */
const port = parentPort!;

port.on('message', () => {
  for (;;);
});
port.postMessage('ready');
