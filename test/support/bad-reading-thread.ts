import { parentPort } from 'node:worker_threads';

/** A thread that answers as one of an assessment does, except that it does what a unit's selector says. */
const port = parentPort!;
const held: unknown[] = [];

setInterval(() => port.postMessage({ type: 'alive' }), 50).unref();

port.on('message', (message) => {
  if (message.type === 'stop') port.close();
  else if (message.type === 'measure') misbehave(message.task.unit.selector);
  else if (message.type === 'look') {
    port.postMessage({ type: 'step', step: 'bad:x' });
    if (!message.task.given_up.has('bad:x')) misbehave('loop');
    else port.postMessage({ type: 'looked', seen: { path: '', found: [], findings: [] } });
  }
});

function misbehave(how: string): void {
  if (how === 'loop') for (;;);
  if (how === 'heap') for (;;) held.push(Array.from({ length: 1000 }, () => ({})));
  if (how === 'arrays') setInterval(() => held.push(new Uint8Array(32e6).fill(1)), 10);
  if (how === 'die') process.exit(7);
  // 'wait': never answers, though it lives.
}
