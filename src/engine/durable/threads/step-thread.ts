import { workerData } from 'node:worker_threads';
import type { StepEvent, ThreadStart } from '../../steps/messages.ts';
import { serveRequests } from '../../workers/serve-requests.ts';
import { StepHandler } from './step-handler.ts';

/** Entry point of a worker thread for runs, jobs and exports. */
serveRequests((say: (event: StepEvent) => void) => new StepHandler(workerData as ThreadStart, say));
