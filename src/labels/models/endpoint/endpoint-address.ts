import type { VisionEndpoint } from '#core/api';

/** The endpoint as the audit log names it: where frames go, without what a key might be hidden in. */
export function endpointAddress({ url }: Pick<VisionEndpoint, 'url'>): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
