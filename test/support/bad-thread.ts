import { parentPort } from 'node:worker_threads';
import { misbehave } from './misbehave.ts';

/**
 * A thread that answers as those of the engine do, except that measuring a unit does what its selector says, and that
 * opening the dataset `bad:x` never ends.
 */
const port = parentPort!;

port.on('message', (message) => {
  if (message.type === 'close') port.close();
  if (message.type !== 'request') return;
  const { type, units, given_up } = message.request;
  if (type === 'measure') {
    const [{ place, unit }] = JSON.parse(units);
    port.postMessage({ type: 'event', event: { type: 'begin', place } });
    misbehave(unit.selector);
  } else if (type === 'find') {
    port.postMessage({ type: 'event', event: { type: 'step', step: 'bad:x' } });
    if (!given_up.has('bad:x')) misbehave('loop');
    else port.postMessage({ type: 'answer', answer: { path: '', found: [], findings: [], unopened: [] } });
  }
});
