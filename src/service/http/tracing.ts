import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** A tracer; `close` sends the pending spans. */
export interface Tracing {
  readonly tracer: Tracer;
  close(): Promise<void>;
}

/** Longest wait in ms for the collector on close. */
const closeTimeout_ms = 3000;

/**
 * Opens tracing to an OpenTelemetry collector, by OTLP over HTTP below `endpoint`. The libraries are loaded here, so
 * that a service without tracing does not load them.
 */
export async function openTracing(endpoint: string, version: string): Promise<Tracing> {
  const [sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'assay', 'service.version': version }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, scheduledDelayMillis: 1000 })],
  });
  return {
    tracer: provider.getTracer('assay'),
    close: async () => {
      const late = new Promise((resolve) => setTimeout(resolve, closeTimeout_ms).unref());
      await Promise.race([provider.shutdown().catch(() => {}), late]);
    },
  };
}

/**
 * Adds hooks to the server that record a span per request, as a child of the caller's `traceparent`; health probes are
 * skipped. Closes the tracing with the server.
 */
export function traceRequests(server: FastifyInstance, { tracer, close }: Tracing): void {
  server.addHook('onClose', close);
  const spans = new WeakMap<FastifyRequest, Span>();
  server.addHook('onRequest', async (request) => {
    const { access, operation, url } = request.routeOptions.config ?? {};
    if (access?.metered === false) return;
    const route = operation?.path ?? url;
    const span = tracer.startSpan(
      `${request.method} ${route ?? 'unknown'}`,
      {
        kind: SpanKind.SERVER,
        attributes: {
          'http.request.method': request.method,
          ...(route === undefined ? {} : { 'http.route': route }),
          'assay.operation': access?.id ?? 'unknown',
          'assay.request_id': request.id,
        },
      },
      parseTraceparent(request.headers.traceparent),
    );
    spans.set(request, span);
  });
  server.addHook('onResponse', async (request, reply) => {
    const span = spans.get(request);
    if (span === undefined) return;
    span.setAttribute('http.response.status_code', reply.statusCode);
    if (request.actor !== null) span.setAttribute('assay.tenant_id', request.actor.tenant_id);
    if (reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
}

/** Parses a `traceparent` header (W3C Trace Context, version 00); the root context if it is malformed or missing. */
function parseTraceparent(header: string | string[] | undefined): Context {
  const parts = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(String(header ?? ''));
  if (parts === null) return ROOT_CONTEXT;
  const [, traceId, spanId, flags] = parts;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
  });
}
