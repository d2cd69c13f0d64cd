export type { AnyHandler, BytesAnswer, Handler, HandlersOf, Served, ServerSentEvent } from './handler.ts';
export { handlers } from './handlers/index.ts';
export { createMetrics, type Metrics } from './metrics.ts';
export type { Mount } from './mount.ts';
export type { Limits, ServerOptions } from './options.ts';
export { createServer } from './server.ts';
export { openTracing, type Tracing } from './tracing.ts';
export { sweepAbandonedUploads } from './uploads/sweep.ts';
export { uploadMount } from './uploads/upload-mount.ts';
