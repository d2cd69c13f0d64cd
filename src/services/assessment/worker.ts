import { parentPort } from 'node:worker_threads';
import { conclude } from './conclude.ts';
import { failureOf } from './failure.ts';
import type { FromWorker, ToWorker, WorkerStart } from './messages.ts';
import { Workshop } from './workshop.ts';

/** A worker thread of an assessment: answers each message with one, in order. */
const port = parentPort!;
const abort = new AbortController();
const progress = { episodes: 0, bytes: 0, sent: 0 };

let workshop: Workshop | null = null;

function begin(start: WorkerStart): void {
  workshop = new Workshop(start, (which) => start.spools[which], {
    signal: abort.signal,
    onProgress: (episodes, bytes) => {
      progress.episodes += episodes;
      progress.bytes += bytes;
      if (performance.now() - progress.sent >= 100) sendProgress();
    },
  });
}

function sendProgress(): void {
  const { episodes, bytes } = progress;
  Object.assign(progress, { episodes: 0, bytes: 0, sent: performance.now() });
  if (episodes > 0 || bytes > 0) send({ type: 'progress', episodes, bytes });
}

function send(message: FromWorker): void {
  port.postMessage(message);
}

port.on('message', (message: ToWorker) => {
  if (message.type === 'start') begin(message.start);
  else if (message.type === 'stop') {
    abort.abort();
    void Promise.resolve(workshop?.close()).finally(() => port.close());
  } else {
    answer(message, workshop!)
      .then((reply) => {
        sendProgress();
        send(reply);
      })
      .catch((thrown) => send({ type: 'failed', failure: failureOf(thrown) }));
  }
});

type Question = Extract<ToWorker, { type: 'measure' | 'compare' | 'judge' }>;

async function answer(message: Question, workshop: Workshop): Promise<FromWorker> {
  if (message.type === 'measure') return { type: 'measured', unit: await workshop.measure(message.task) };
  if (message.type === 'compare') return { type: 'compared', result: conclude(message.task) };
  return { type: 'judged', unit: workshop.judge(message.task) };
}
