export type {
  AnyHandler,
  BytesAnswer,
  Handler,
  HandlersOf,
  RequestContext,
  ServerSentEvent,
} from './handler.ts';
export { handlers } from './handlers/index.ts';
export { createMetrics, type Metrics } from './metrics.ts';
export type { Limits, Mount, ServerOptions, Site, SiteFile } from './options.ts';
export { createServer } from './server.ts';
export { openTracing, type Tracing } from './tracing.ts';
export { sweepAbandonedUploads, uploadMount } from './upload-mount.ts';
