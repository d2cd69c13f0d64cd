import { AssayError } from '#core';

interface Asked {
  readonly headers: { readonly origin?: string | undefined; readonly host?: string | undefined };
  /** Where the connection arrived. */
  readonly socket: { readonly localAddress?: string | undefined };
}

/**
 * Refuses what a page of another site sends; programs send no origin. A page whose name was made to lead to this machine
 * (DNS rebinding) is told by that name, unless a proxy is trusted, behind which the service may have any.
 */
export function demandSameOrigin({ headers, socket }: Asked, behind_proxy: boolean): void {
  const { origin, host } = headers;
  if (origin === undefined) return;
  const from = URL.canParse(origin) ? new URL(origin) : null;
  const same = from !== null && from.host === host?.toLowerCase();
  const local = behind_proxy || !isLoopback(socket.localAddress) || isLoopback(from?.hostname);
  if (same && local) return;
  throw new AssayError('forbidden', 'pages of other sites may not speak to this address', {
    advice:
      'connect from a program, or from a page that this service serves; behind a proxy set ASSAY_TRUST_PROXY',
  });
}

const isLoopback = (name: string | undefined): boolean =>
  name === 'localhost' || name === '[::1]' || name === '::1' || /^(::ffff:)?127\./.test(name ?? '');
