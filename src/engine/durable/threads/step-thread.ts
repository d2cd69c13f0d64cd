import { workerData } from 'node:worker_threads';
import type { StepEvent, ThreadStart } from '../../steps/messages.ts';
import { serveRequests } from '../../workers/serve-requests.ts';
import { StepHandler } from './step-handler.ts';

/** A thread that does one request of a run after another. */
serveRequests((say: (event: StepEvent) => void) => new StepHandler(workerData as ThreadStart, say));
