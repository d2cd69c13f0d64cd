import { parentPort } from 'node:worker_threads';
import { failureOf } from '../../assessment/failure.ts';
import { stopQueries } from '../../assessment/stop-queries.ts';
import type { ReaderAnswer, ReaderAnswers, ReaderTask, ToReader } from './reader-tasks.ts';

/** A thread that reads numbers and recordings for the HTTP side: one task at a time, each answered with one message. */
const port = parentPort!;

let stop: (() => void) | null = null;

port.on('message', (message: ToReader) => {
  // The task may have ended meanwhile, and this is not for the next.
  if (message === 'stop') stop?.();
  else void answer(message);
});

async function answer(task: ReaderTask): Promise<void> {
  let allowQueries = () => {};
  stop = () => {
    allowQueries = stopQueries();
  };
  const answered = await work(task).then(
    (answer) => ({ answer }),
    (thrown: unknown) => ({ failure: failureOf(thrown) }),
  );
  stop = null;
  allowQueries();
  port.postMessage(answered satisfies ReaderAnswer);
}

async function work(task: ReaderTask): Promise<ReaderAnswers[keyof ReaderAnswers]> {
  switch (task.type) {
    case 'stream':
      return (await import('./read-stream.ts')).readStream(task);
    case 'camera':
      return (await import('./read-camera.ts')).readCamera(task);
    case 'pictures':
      return (await import('./read-pictures.ts')).readPictures(task);
  }
}
