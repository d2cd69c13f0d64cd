import { parentPort } from 'node:worker_threads';
import { misbehave } from './misbehave.ts';

/** A thread that answers as one of an assessment does, except that it does what a unit's selector says. */
const port = parentPort!;

port.on('message', (message) => {
  if (message.type === 'close') port.close();
  if (message.type !== 'request') return;
  const { type, task } = message.request;
  if (type === 'measure') misbehave(task.unit.selector);
  else if (type === 'look') {
    port.postMessage({ type: 'event', event: { type: 'step', step: 'bad:x' } });
    if (!task.given_up.has('bad:x')) misbehave('loop');
    else
      port.postMessage({
        type: 'answer',
        answer: { type: 'looked', seen: { path: '', found: [], findings: [] } },
      });
  }
});
