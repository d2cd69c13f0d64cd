import { parentPort } from 'node:worker_threads';
import { failureOf } from '../../assessment/failure.ts';
import type { ReaderAnswer, ReaderAnswers, ReaderTask } from './reader-tasks.ts';

/** A thread that reads numbers and recordings for the HTTP side: one task at a time, each answered with one message. */
const port = parentPort!;

port.on('message', (task: ReaderTask) => {
  work(task).then(
    (answer) => send({ answer }),
    (thrown: unknown) => send({ failure: failureOf(thrown) }),
  );
});

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

function send(message: ReaderAnswer): void {
  port.postMessage(message);
}
