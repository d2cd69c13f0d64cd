import type { FastifyReply, FastifyRequest } from 'fastify';
import { AssayError } from '#core';
import type { ServerOptions } from './options.ts';
import { sendProblem } from './problems.ts';

/** Answers what no route took: 405 with `Allow` where the address is known under another method, else 404. */
export function unknownAddress({
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
