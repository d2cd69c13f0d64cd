import { parentPort } from 'node:worker_threads';
import { conclude } from './conclude.ts';
import { type FoundDatasets, findDatasets, type SeenDatasets, seenOf } from './datasets.ts';
import { failureOf } from './failure.ts';
import type { FromWorker, LookTask, ToWorker, WorkerStart } from './messages.ts';
import { stopQueries } from './stop-queries.ts';
import { packVerdicts } from './verdict-pack.ts';
import { Workshop } from './workshop.ts';

/** A worker thread of an assessment: answers each message with one, in order. */
const port = parentPort!;
const abort = new AbortController();
const progress = { episodes: 0, bytes: 0, sent: 0 };

let found: FoundDatasets['found'] = [];
let workshop: Workshop | null = null;

async function look({ path, given_up }: LookTask): Promise<SeenDatasets> {
  const onStep = (step: string) => {
    abort.signal.throwIfAborted();
    send({ type: 'step', step });
  };
  const onListed = (bytes: number) => send({ type: 'listed', bytes });
  const all = await findDatasets(path, { given_up, onListed, onStep });
  found = all.found;
  return seenOf(all);
}

function begin(start: WorkerStart): void {
  workshop = new Workshop(start, (which) => start.spools[which], {
    signal: abort.signal,
    onProgress: (episodes, bytes) => {
      progress.episodes += episodes;
      progress.bytes += bytes;
      if (performance.now() - progress.sent >= 100) sendProgress();
    },
  });
  for (const [index, { dataset }] of found.entries()) workshop.lend(index, dataset);
}

function sendProgress(): void {
  const { episodes, bytes } = progress;
  Object.assign(progress, { episodes: 0, bytes: 0, sent: performance.now() });
  send({ type: 'progress', episodes, bytes });
}

async function close(): Promise<void> {
  await workshop?.close();
  await Promise.all(found.map(({ dataset }) => dataset.close().catch(() => {})));
}

function send(message: FromWorker): void {
  port.postMessage(message);
}

port.on('message', (message: ToWorker) => {
  if (message.type === 'start') begin(message.start);
  else if (message.type === 'stop') {
    abort.abort();
    stopQueries();
    void close().finally(() => port.close());
  } else {
    answer(message)
      .then((reply) => {
        sendProgress();
        send(reply);
      })
      .catch((thrown) => send({ type: 'failed', failure: failureOf(thrown) }));
  }
});

type Question = Extract<ToWorker, { type: 'look' | 'measure' | 'compare' | 'judge' }>;

async function answer(message: Question): Promise<FromWorker> {
  if (message.type === 'look') return { type: 'looked', seen: await look(message.task) };
  if (message.type === 'compare') return { type: 'compared', result: conclude(message.task) };
  if (message.type === 'measure') return { type: 'measured', unit: await workshop!.measure(message.task) };
  const unit = workshop!.judge(message.task);
  return { type: 'judged', unit: { ...unit, verdicts: packVerdicts(unit.verdicts) } };
}
