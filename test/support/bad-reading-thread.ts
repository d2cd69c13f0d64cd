import { parentPort } from 'node:worker_threads';
import { misbehave } from './misbehave.ts';

/** A thread that answers as one of an assessment does, except that it does what a unit's selector says. */
const port = parentPort!;

port.on('message', (message) => {
  if (message.type === 'stop') port.close();
  else if (message.type === 'measure') misbehave(message.task.unit.selector);
  else if (message.type === 'look') {
    port.postMessage({ type: 'step', step: 'bad:x' });
    if (!message.task.given_up.has('bad:x')) misbehave('loop');
    else port.postMessage({ type: 'looked', seen: { path: '', found: [], findings: [] } });
  }
});
