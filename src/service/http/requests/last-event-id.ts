import type { Served } from '../handler.ts';

/** Where a client that comes back wants its stream to go on. */
export function lastEventId(headers: Served['headers']): string | undefined {
  const sent = headers['last-event-id'];
  return Array.isArray(sent) ? sent[0] : sent;
}
