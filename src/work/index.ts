export { errorOf, type Failure, failureOf } from './workers/failure.ts';
export { type RequestHandler, serveRequests } from './workers/serve-requests.ts';
export { tooBusy } from './workers/too-busy.ts';
export { WorkerPool } from './workers/worker-pool.ts';
export { WorkerLost, WorkerThread } from './workers/worker-thread.ts';
export { usualLimits, type WorkerLimits } from './workers/worker-watch.ts';
