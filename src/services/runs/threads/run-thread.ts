import { parentPort, workerData } from 'node:worker_threads';
import { failureOf } from '../../assessment/failure.ts';
import { OrderDesk } from './order-desk.ts';
import type { FromThread, ThreadStart, ToThread } from './thread-messages.ts';

/** A thread that does one order of a run after another. */
const port = parentPort!;
const say = (message: FromThread) => port.postMessage(message);
const desk = new OrderDesk(workerData as ThreadStart, say);

port.on('message', (message: ToThread) => {
  if (message.type === 'took') desk.took(message.wanted);
  else if (message.type === 'cancel') desk.cancel();
  else {
    desk.do(message.order).then(
      (answer) => say({ type: 'answer', answer }),
      (thrown) => say({ type: 'failed', failure: failureOf(thrown) }),
    );
  }
});
