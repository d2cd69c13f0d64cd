import type { FastifyInstance } from 'fastify';
import { AssayError } from '#core';
import type { Operation } from '#core/api';
import type { Access } from './fastify-additions.ts';
import type { AnyHandler } from './handler.ts';
import type { ServerContext, ServerOptions } from './options.ts';
import { operationServer } from './serve-operation.ts';

/** Adds a route for every row. Throws when a row has no handler or asks for what cannot be. */
export function addOperations(
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
