import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import fastify, { type FastifyInstance, LogController } from 'fastify';
import { AssayError, limits as bounds, newId } from '#core';
import { createMetrics, measureRequests } from './metrics.ts';
import { addMounts } from './mount-route.ts';
import { defaultLimits, type ServerContext, type ServerOptions } from './options.ts';
import { problemOf, problemType, sendProblem } from './problems.ts';
import { sweepIdempotencyKeys } from './requests/idempotency.ts';
import { trackOpenRequests } from './requests/open-requests.ts';
import { readJson } from './requests/read-json.ts';
import { requestIdOf } from './requests/request-id.ts';
import { logRequests } from './requests/request-log.ts';
import { addOperations } from './routes.ts';
import { addSite, screenServer } from './site.ts';
import { checkAccess } from './tokens/authentication.ts';
import { traceRequests } from './tracing.ts';
import { unknownAddress } from './unknown-address.ts';

/**
 * The HTTP side of the service, not yet listening: `await server.listen({ host, port })`, later `await server.close()`,
 * which ends event streams and lets other requests finish.
 */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const limits = { ...defaultLimits, ...options.limits };
  const server = bareServer(options, limits.body_bytes);
  addBasics(server, options);
  if (options.tracing !== undefined) traceRequests(server, options.tracing);
  await server.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    // Whoever ends TLS in front of the service says whether its host is to be asked over TLS only.
    strictTransportSecurity: false,
  });
  await server.register(rateLimit, { global: false });
  const actors = checkAccess(server, limits, options.authenticate);
  const metrics = options.metrics ?? createMetrics();
  measureRequests(server, metrics);
  const context: ServerContext = {
    store: options.store,
    metrics,
    limits,
    open: trackOpenRequests(server, actors),
    verify_answers: options.verify_answers ?? false,
  };
  sweepIdempotencyKeys(server, options.store);
  addOperations(server, options, context);
  if (options.site !== undefined) addSite(server, options.site);
  await addMounts(server, options.mounts ?? [], context);
  return server;
}

function bareServer({ log, trust_proxy }: ServerOptions, body_bytes: number): FastifyInstance {
  const server = fastify({
    ...(log === undefined ? { logger: false } : { loggerInstance: log }),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    requestIdHeader: false,
    genReqId: requestIdOf,
    bodyLimit: body_bytes,
    return503OnClosing: false,
    routerOptions: { maxParamLength: bounds.requests.path_part_chars.value },
    ...(trust_proxy === undefined ? {} : { trustProxy: trust_proxy as string | string[] }),
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      sendProblem(request, reply, error);
    },
    clientErrorHandler: (_error, socket) => {
      if (socket.writable) socket.end(unreadableRequest());
    },
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, readJson(body as Buffer));
    } catch (thrown) {
      done(thrown as Error);
    }
  });
  return server;
}

/** What every answer has, whoever makes it. */
function addBasics(server: FastifyInstance, options: ServerOptions): void {
  server.decorateRequest('received_at');
  server.addHook('onRequest', async (request, reply) => {
    request.received_at = new Date();
    reply.header('x-request-id', request.id);
  });
  logRequests(server);
  const unknown = unknownAddress(options);
  // Where no route is, it does not matter what was wrong with the request.
  server.setErrorHandler((error, request, reply) =>
    request.is404 && !(error instanceof AssayError)
      ? unknown(request, reply)
      : sendProblem(request, reply, error),
  );
  const screen = screenServer(options);
  server.setNotFoundHandler((request, reply) => screen(request, reply) ?? unknown(request, reply));
}

/** For bytes that are not even HTTP. */
function unreadableRequest(): string {
  const error = new AssayError('bad_request', 'the request is not HTTP/1.1, or its headers are too long');
  const request_id = newId('req');
  const body = JSON.stringify(problemOf(error, '/', request_id));
  const headers = [
    'HTTP/1.1 400 Bad Request',
    `Content-Type: ${problemType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${request_id}`,
    'Connection: close',
  ];
  return `${headers.join('\r\n')}\r\n\r\n${body}`;
}
