import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { AssayError, limits as bounds, newId } from '#core';
import type { Operation } from '#core/api';
import { checkAccess } from './authentication.ts';
import type { Access } from './fastify-additions.ts';
import type { AnyHandler } from './handler.ts';
import { createMetrics, measureRequests } from './metrics.ts';
import { defaultLimits, type Mount, type ServerContext, type ServerOptions } from './options.ts';
import { problemOf, problemType, sendProblem } from './problems.ts';
import { readSessionToken, toCall } from './request-identity.ts';
import { sweepIdempotencyKeys } from './requests/idempotency.ts';
import { trackOpenRequests } from './requests/open-requests.ts';
import { readJson } from './requests/read-json.ts';
import { logRequests, toLogEntry } from './requests/request-log.ts';
import { operationServer } from './serve-operation.ts';
import { addSite, screenHandler } from './site.ts';
import { traceRequests } from './tracing.ts';

/**
 * Creates the HTTP server without starting it: `await server.listen({ host, port })` starts it; `await
 * server.close()` ends event streams and waits for other requests.
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
    // HSTS is left to the proxy that terminates TLS.
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
    open_requests: trackOpenRequests(server, actors),
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
      if (socket.writable) socket.end(malformedRequestAnswer());
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

/** Adds request ids, logs, error answers and the not-found handler. */
function addBasics(server: FastifyInstance, options: ServerOptions): void {
  server.decorateRequest('received_at');
  server.addHook('onRequest', async (request, reply) => {
    request.received_at = new Date();
    reply.header('x-request-id', request.id);
  });
  logRequests(server);
  const unknown = unknownAddressHandler(options);
  // Without a route, framework errors are answered as not found.
  server.setErrorHandler((error, request, reply) =>
    request.is404 && !(error instanceof AssayError)
      ? unknown(request, reply)
      : sendProblem(request, reply, error),
  );
  const screen = screenHandler(options);
  server.setNotFoundHandler((request, reply) => screen(request, reply) ?? unknown(request, reply));
}

/** Returns the raw answer to a request that cannot be parsed as HTTP. */
function malformedRequestAnswer(): string {
  const error = new AssayError(
    'bad_request',
    'the request is not valid HTTP/1.1 or its headers are too large',
  );
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

const requestIdShape = /^[A-Za-z0-9._-]{8,128}$/;

/** Returns the caller's `X-Request-Id` if it is valid, else a new id. */
function requestIdOf(request: FastifyRequest['raw']): string {
  const requested = request.headers['x-request-id'];
  return typeof requested === 'string' && requestIdShape.test(requested) ? requested : newId('req');
}

/**
 * Returns a handler for requests without a route: 405 with `Allow` if the path exists with other methods, else 404.
 */
function unknownAddressHandler({
  operations,
  mounts = [],
}: ServerOptions): (request: FastifyRequest, reply: FastifyReply) => FastifyReply {
  const knownRoutes = [
    ...Array.from(operations, ({ path, method }) => ({ pattern: pathPattern(path), methods: [method] })),
    ...mounts.map(({ prefix, methods }) => ({ pattern: pathPattern(`${prefix}/{rest*}`), methods })),
  ];
  return (request, reply) => {
    const path = request.url.split('?', 1)[0];
    const methods = new Set(
      knownRoutes.filter(({ pattern }) => pattern.test(path)).flatMap((row) => row.methods),
    );
    if (methods.has('GET')) methods.add('HEAD');
    if (methods.size === 0) {
      const error = new AssayError('not_found', 'path not found', {
        advice: 'see /v1/openapi.json for all paths',
      });
      return sendProblem(request, reply, error);
    }
    const allowed = [...methods].sort();
    reply.header('allow', allowed.join(', '));
    const error = new AssayError('method_not_allowed', `this path supports only ${allowed.join(', ')}`);
    return sendProblem(request, reply, error);
  };
}

function pathPattern(path: string): RegExp {
  const literal = (text: string) => text.replaceAll(/[.\\+?^$()[\]|]/g, '\\$&');
  return new RegExp(
    `^${literal(path)
      .replace(/\/\{[^}]*\*\}$/, '(?:/.*)?')
      .replaceAll(/\{[^}]+\}/g, '[^/]+')}$`,
  );
}

/** Adds a route for every operation. Throws `internal` if one has no handler. */
function addOperations(
  server: FastifyInstance,
  { operations, handlers }: ServerOptions,
  context: ServerContext,
): void {
  for (const operation of operations) {
    const handle = requireHandler(operation, handlers);
    server.route({
      method: operation.method,
      url: routePath(operation.path),
      config: { operation, access: accessOf(operation) },
      handler: operationServer(operation, handle, context),
    });
  }
}

function requireHandler(operation: Operation, handlers: ServerOptions['handlers']): AnyHandler {
  const handle = handlers[operation.id];
  if (handle === undefined) throw new AssayError('internal', `operation ${operation.id} has no handler`);
  return handle;
}

function accessOf({ id, role, success, unmetered }: Operation): Access {
  const page = 'content_type' in success && success.content_type.startsWith('text/html');
  return { id, role, page, metered: unmetered !== true };
}

/** Converts an API path to the router's syntax: `{name}` is one segment, a final `{name*}` the rest of the path. */
function routePath(path: string): string {
  return path.replaceAll(/\{([^}*]+)\}/g, ':$1').replace(/\{[^}]*\*\}$/, '*');
}

/** Adds the mounts, each with its own content types. */
async function addMounts(
  server: FastifyInstance,
  mounts: readonly Mount[],
  context: ServerContext,
): Promise<void> {
  for (const mount of mounts) {
    const { close } = mount;
    if (close !== undefined) server.addHook('preClose', () => close());
    await server.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      for (const type of mount.content_types)
        scope.addContentTypeParser(type, (_request, _body, done) => done(null, undefined));
      addMountRoutes(scope, mount, context);
    });
  }
}

function addMountRoutes(
  scope: FastifyInstance,
  mount: Mount,
  { store, metrics, open_requests }: ServerContext,
): void {
  for (const url of [mount.prefix, `${mount.prefix}/*`])
    scope.route({
      method: [...mount.methods],
      url,
      exposeHeadRoute: false,
      config: { access: { id: mount.id, role: mount.role, page: false, metered: true } },
      handler: async (request, reply) => {
        const served = {
          store,
          call: toCall(request),
          metrics,
          session_token: readSessionToken(request),
          headers: request.headers,
          signal: open_requests.signalOf(reply),
        };
        for (const [name, value] of Object.entries(reply.getHeaders()))
          if (value !== undefined) reply.raw.setHeader(name, value);
        try {
          await mount.handle(served, request.raw, reply.raw);
        } catch (thrown) {
          if (!reply.raw.headersSent) throw thrown;
          request.log.error(toLogEntry(thrown), 'request failed after the response had started');
          reply.raw.destroy();
        }
        return reply.hijack();
      },
    });
}
