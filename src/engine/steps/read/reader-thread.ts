import { serveRequests } from '../../workers/serve-requests.ts';
import type { ReaderAnswers, ReaderTask } from './reader-threads.ts';

/** Entry point of a thread that reads numbers and recordings for the HTTP server. */
serveRequests(() => ({ do: read }));

async function read(task: ReaderTask): Promise<ReaderAnswers[keyof ReaderAnswers]> {
  switch (task.type) {
    case 'stream':
      return (await import('./read-stream.ts')).readStream(task);
    case 'poses':
      return (await import('./read-poses.ts')).readPoses(task);
    case 'camera':
      return (await import('./read-stream.ts')).readCamera(task);
    case 'pictures':
      return (await import('./read-pictures.ts')).readPictures(task);
    case 'spool':
      return (await import('./read-pictures.ts')).spoolPictures(task);
    case 'curate':
      return (await import('#quality/curation')).runPlan(task.plan, task.episodes);
    case 'probe':
      return (await import('#quality/curation')).runProbe(task.episodes, task.options);
    case 'score_failures':
      return (await import('#quality/failures')).scoreFailures(task.episodes, task.failures, task.options);
  }
}
