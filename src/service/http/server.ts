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
import type { Access } from './fastify-additions.ts';
import type { AnyHandler } from './handler.ts';
import { createMetrics, measureRequests } from './metrics.ts';
import type { Mount } from './mount.ts';
import { defaultLimits, type ServerContext, type ServerOptions } from './options.ts';
import { problemOf, problemType, sendProblem } from './problems.ts';
import { sweepIdempotencyKeys } from './requests/idempotency.ts';
import { trackOpenRequests } from './requests/open-requests.ts';
import { readJson } from './requests/read-json.ts';
import { loggable, logRequests } from './requests/request-log.ts';
import { operationServer } from './serve-operation.ts';
import { addSite, screenServer } from './site.ts';
import { checkAccess } from './tokens/authentication.ts';
import { callOf } from './tokens/call-of.ts';
import { sessionTokenOf } from './tokens/session-cookie.ts';
import { traceRequests } from './tracing.ts';

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

const sane = /^[A-Za-z0-9._-]{8,128}$/;

/** The caller's `X-Request-Id` where it is one, else a new one. */
function requestIdOf(request: FastifyRequest['raw']): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && sane.test(given) ? given : newId('req');
}

/** Answers what no route took: 405 with `Allow` where the address is known under another method, else 404. */
function unknownAddress({
  operations,
  mounts = [],
}: ServerOptions): (request: FastifyRequest, reply: FastifyReply) => FastifyReply {
  const known = [
    ...Array.from(operations, ({ path, method }) => ({ pattern: patternOf(path), methods: [method] })),
    ...mounts.map(({ prefix, methods }) => ({ pattern: patternOf(`${prefix}/{rest*}`), methods })),
  ];
  return (request, reply) => {
    const path = request.url.split('?', 1)[0];
    const methods = new Set(known.filter(({ pattern }) => pattern.test(path)).flatMap((row) => row.methods));
    if (methods.has('GET')) methods.add('HEAD');
    if (methods.size === 0) {
      const error = new AssayError('not_found', 'there is nothing at this address', {
        advice: '/v1/openapi.json lists every address',
      });
      return sendProblem(request, reply, error);
    }
    const allowed = [...methods].sort();
    reply.header('allow', allowed.join(', '));
    const error = new AssayError('method_not_allowed', `this address knows ${allowed.join(', ')}`);
    return sendProblem(request, reply, error);
  };
}

function patternOf(path: string): RegExp {
  const literal = (text: string) => text.replaceAll(/[.\\+?^$()[\]|]/g, '\\$&');
  return new RegExp(
    `^${literal(path)
      .replace(/\/\{[^}]*\*\}$/, '(?:/.*)?')
      .replaceAll(/\{[^}]+\}/g, '[^/]+')}$`,
  );
}

/** Adds a route for every row. Throws when a row has no handler or asks for what cannot be. */
function addOperations(
  server: FastifyInstance,
  { operations, handlers }: ServerOptions,
  context: ServerContext,
): void {
  for (const operation of operations) {
    const handle = handlerOf(operation, handlers);
    server.route({
      method: operation.method,
      url: routePath(operation.path),
      config: { operation, access: accessOf(operation) },
      handler: operationServer(operation, handle, context),
    });
  }
}

function handlerOf(operation: Operation, handlers: ServerOptions['handlers']): AnyHandler {
  const handle = handlers[operation.id];
  if (handle === undefined) throw new AssayError('internal', `operation ${operation.id} has no handler`);
  return handle;
}

function accessOf({ id, role, success, unmetered }: Operation): Access {
  const page = 'content_type' in success && success.content_type.startsWith('text/html');
  return { id, role, page, metered: unmetered !== true };
}

/** A contract path in the router's words: `{name}` is one segment, a last `{name*}` all that follows. */
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
      addRoutes(scope, mount, context);
    });
  }
}

function addRoutes(scope: FastifyInstance, mount: Mount, { store, metrics, open }: ServerContext): void {
  for (const url of [mount.prefix, `${mount.prefix}/*`])
    scope.route({
      method: [...mount.methods],
      url,
      exposeHeadRoute: false,
      config: { access: { id: mount.id, role: mount.role, page: false, metered: true } },
      handler: async (request, reply) => {
        const served = {
          store,
          call: callOf(request),
          metrics,
          session_token: sessionTokenOf(request),
          headers: request.headers,
          signal: open.signalOf(reply),
        };
        for (const [name, value] of Object.entries(reply.getHeaders()))
          if (value !== undefined) reply.raw.setHeader(name, value);
        try {
          await mount.handle(served, request.raw, reply.raw);
        } catch (thrown) {
          if (!reply.raw.headersSent) throw thrown;
          request.log.error(loggable(thrown), 'request failed after its answer had begun');
          reply.raw.destroy();
        }
        return reply.hijack();
      },
    });
}
