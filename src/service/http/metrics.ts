import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Prometheus metrics of a process. */
export interface Metrics {
  /** Registry; other modules add their metrics to it. */
  readonly registry: Registry;
  readonly request_duration_s: Histogram<'operation' | 'status'>;
  readonly open_streams: Gauge;
  /** Runs in the database by status; set when the metrics are read. */
  readonly runs: Gauge<'status'>;
}

/** Creates the metrics of a process: memory, CPU, event loop delay, garbage collection and HTTP. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    request_duration_s: new Histogram({
      name: 'assay_http_request_duration_seconds',
      help: 'Time from the first byte of a request to the last byte of the response, by API operation',
      labelNames: ['operation', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [registry],
    }),
    open_streams: new Gauge({
      name: 'assay_http_open_streams',
      help: 'Open event streams',
      registers: [registry],
    }),
    runs: new Gauge({
      name: 'assay_runs',
      help: 'Runs in the database by status; identical on every process',
      labelNames: ['status'],
      registers: [registry],
    }),
  };
}

/** Adds hooks to the server that record the duration of every request; event streams are only counted while open. */
export function measureRequests(server: FastifyInstance, metrics: Metrics): void {
  const isStream = (type: unknown) => String(type).startsWith('text/event-stream');
  server.addHook('onSend', async (request, reply) => {
    if (request.method === 'GET' && isStream(reply.getHeader('content-type'))) metrics.open_streams.inc();
  });
  server.addHook('onResponse', async (request, reply) => {
    if (isStream(reply.getHeader('content-type'))) {
      if (request.method === 'GET') metrics.open_streams.dec();
      return;
    }
    const operation = request.routeOptions.config?.access?.id ?? 'unknown';
    metrics.request_duration_s.observe({ operation, status: reply.statusCode }, reply.elapsedTime / 1000);
  });
}
