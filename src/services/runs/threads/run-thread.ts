import { workerData } from 'node:worker_threads';
import { serveRequests } from '#work';
import { RunHandler } from './run-handler.ts';
import type { OrderEvent, ThreadStart } from './thread-messages.ts';

/** A thread that does one order of a run after another. */
serveRequests((say: (event: OrderEvent) => void) => new RunHandler(workerData as ThreadStart, say));
