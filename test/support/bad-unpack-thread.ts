import { parentPort } from 'node:worker_threads';

/** A thread that says it is there, and ends with the first thing it is to unpack. */
const port = parentPort!;

port.on('message', () => process.exit(1));
port.postMessage('ready');
