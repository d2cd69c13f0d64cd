import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { etagMatches } from './etag.ts';
import type { ServerOptions, Site, SiteFile } from './options.ts';

const index = 'index.html';

/**
 * Content security policy: pages load from this service only, images and video also from memory; no inline scripts.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "frame-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Adds routes to the server for the site's page (`/`) and its files (`/assets/`), without authentication. */
export function addSite(server: FastifyInstance, site: Site): void {
  const config = { access: { id: 'web', role: 'public', page: false, metered: false } } as const;
  const serve = (path: (request: FastifyRequest) => string) => ({
    config,
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const file = await site.file(path(request));
      return file === null ? reply.callNotFound() : sendFile(file, request, reply);
    },
  });
  server.get(
    '/',
    serve(() => index),
  );
  server.get(
    '/assets/*',
    serve(({ params }) => `assets/${(params as { '*': string })['*']}`),
  );
}

/**
 * Returns a handler that answers browser navigation to screens of the web application with its page. It returns
 * undefined for other requests and for paths that the service itself uses.
 */
export function screenHandler({
  operations,
  mounts = [],
  site,
}: ServerOptions): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | undefined {
  const paths = [...Array.from(operations, ({ path }) => path), ...mounts.map(({ prefix }) => prefix)];
  const taken = new Set([...paths.map((path) => path.split('/')[1]), 'assets']);
  return (request, reply) => {
    const reads = request.method === 'GET' || request.method === 'HEAD';
    const wantsPage = (request.headers.accept ?? '').includes('text/html');
    const [, first] = request.url.split('?', 1)[0].split('/');
    if (site === undefined || !reads || !wantsPage || taken.has(first)) return undefined;
    return site.file(index).then((file) => (file === null ? reply : sendFile(file, request, reply)));
  };
}

function sendFile(file: SiteFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { content_type, etag, plain, gzipped, immutable } = file;
  reply
    .code(200)
    .type(content_type)
    .header('etag', etag)
    .header('vary', 'accept-encoding')
    .header('cache-control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (content_type.startsWith('text/html')) reply.header('content-security-policy', policy);
  if (etagMatches(request.headers['if-none-match'], etag)) return reply.code(304).send();
  const packs = gzipped !== null && /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  if (packs) reply.header('content-encoding', 'gzip');
  return reply.send(packs ? gzipped : plain);
}
