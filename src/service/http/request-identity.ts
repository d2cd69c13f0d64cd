import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor, Call } from '#service/operations';
import type { SessionAnswer } from './handler.ts';

/**
 * Returns the token of a request: from `Authorization`, or from the session cookie if that header is missing; null
 * without a token.
 */
export function readToken(request: FastifyRequest): string | null {
  return request.headers.authorization === undefined ? readSessionToken(request) : readHeaderToken(request);
}

/**
 * Reads a bearer token; for GET and HEAD of pages also the password of Basic credentials. Returns null for anything
 * else.
 */
function readHeaderToken(request: FastifyRequest): string | null {
  const [scheme, value, ...rest] = (request.headers.authorization ?? '').trim().split(/ +/);
  if (value === undefined || rest.length > 0 || value.length > 500) return null;
  if (/^bearer$/i.test(scheme)) return value;
  const basic =
    /^basic$/i.test(scheme) &&
    request.routeOptions.config?.access?.page &&
    /^(GET|HEAD)$/.test(request.method);
  return basic
    ? Buffer.from(value, 'base64')
        .toString()
        .replace(/^[^:]*:/, '')
    : null;
}

/** Longest lifetime of the session cookie in seconds; for tokens that do not expire earlier. */
const maxCookie_s = 30 * 86_400;

/**
 * Returns the token of the session cookie; null if there is none or the request does not come from a page of this
 * service. `SameSite=Strict` excludes other sites, but other ports of this host are the same site: they are
 * recognised by `Sec-Fetch-Site`, or by `Origin` without it. Without both only GET and HEAD are accepted.
 */
export function readSessionToken(request: FastifyRequest): string | null {
  const name = cookieName(request);
  const found = (request.headers.cookie ?? '')
    .split(/; */)
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);
  return found !== undefined && isSameOrigin(request) ? found : null;
}

/** Sets the session cookie, or removes it if the token is null. */
export function setSession(
  request: FastifyRequest,
  reply: FastifyReply,
  { token, expires_at }: SessionAnswer<unknown>,
): void {
  const until_s = expires_at === null ? maxCookie_s : (expires_at.getTime() - Date.now()) / 1000;
  const parts = [
    `${cookieName(request)}=${token ?? ''}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    `Max-Age=${token === null ? 0 : Math.floor(Math.min(maxCookie_s, Math.max(0, until_s)))}`,
    ...(request.protocol === 'https' ? ['Secure'] : []),
  ];
  reply.header('set-cookie', parts.join('; '));
}

/** Returns the cookie name, with the port: cookies ignore ports, so services on one host need different names. */
function cookieName({ host }: FastifyRequest): string {
  const port = /:(\d+)$/.exec(host)?.[1];
  return port === undefined ? 'assay-session' : `assay-session-${port}`;
}

function isSameOrigin({ method, headers, host }: FastifyRequest): boolean {
  const reads = method === 'GET' || method === 'HEAD';
  const site = headers['sec-fetch-site'];
  // `none` is a typed address or a bookmark.
  if (site !== undefined) return site === 'same-origin' || (site === 'none' && reads);
  const { origin } = headers;
  return origin === undefined ? reads : URL.parse(origin)?.host === host;
}

/** Actor of public operations; it belongs to no tenant, so its queries find nothing. */
const anonymousActor: Actor = {
  tenant_id: 'none',
  token_id: 'none',
  user_id: null,
  name: 'nobody',
  role: 'viewer',
};

/** Returns the call of a request for operations; anonymous if it is not authenticated. */
export function toCall(request: FastifyRequest): Call {
  return { actor: request.actor ?? anonymousActor, request_id: request.id, now: request.received_at };
}
