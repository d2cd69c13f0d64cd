import type { FastifyReply, FastifyRequest } from 'fastify';
import type { WithSession } from '../handler.ts';

/** How long a browser keeps a token that has no end of its own. */
const longest_s = 30 * 86_400;

/**
 * The token in the browser's cookie, where it was a page of this service that sent it. `SameSite=Strict` keeps other sites
 * out, but another port of this host is the same site: that is told by `Sec-Fetch-Site`, and for whoever does not
 * say, by `Origin`, without which nothing is changed.
 */
export function sessionTokenOf(request: FastifyRequest): string | null {
  const name = cookieName(request);
  const found = (request.headers.cookie ?? '')
    .split(/; */)
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);
  return found !== undefined && isOwn(request) ? found : null;
}

/** Sets or removes the cookie. */
export function setSession(
  request: FastifyRequest,
  reply: FastifyReply,
  { token, expires_at }: WithSession<unknown>,
): void {
  const until_s = expires_at === null ? longest_s : (expires_at.getTime() - Date.now()) / 1000;
  const parts = [
    `${cookieName(request)}=${token ?? ''}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    `Max-Age=${token === null ? 0 : Math.floor(Math.min(longest_s, Math.max(0, until_s)))}`,
    ...(request.protocol === 'https' ? ['Secure'] : []),
  ];
  reply.header('set-cookie', parts.join('; '));
}

/** Cookies know hosts and no ports; two services of one machine keep theirs apart by the name. */
function cookieName({ host }: FastifyRequest): string {
  const port = /:(\d+)$/.exec(host)?.[1];
  return port === undefined ? 'assay-session' : `assay-session-${port}`;
}

function isOwn({ method, headers, host }: FastifyRequest): boolean {
  const reads = method === 'GET' || method === 'HEAD';
  const site = headers['sec-fetch-site'];
  // `none`: an address that a person typed, or opened from a bookmark.
  if (site !== undefined) return site === 'same-origin' || (site === 'none' && reads);
  const { origin } = headers;
  return origin === undefined ? reads : URL.parse(origin)?.host === host;
}
