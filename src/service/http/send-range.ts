import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { AssayError } from '#core';
import { etagMatches } from './etag.ts';
import type { RangedBody } from './handler.ts';
import type { Sending } from './sending.ts';

/** Bytes from the first up to the second, which is not among them. */
type ByteRange = readonly [from: number, until: number];

/**
 * Sends bytes of which a client may ask for a part (RFC 9110, 14): one range with 206, everything where none is asked
 * for, several are, or `If-Range` names what has changed. Throws `range_not_satisfiable` for a range behind the end.
 */
export function sendRanged(body: RangedBody, etag: string, { request, reply }: Sending): FastifyReply {
  reply.header('etag', etag).header('accept-ranges', 'bytes');
  const { headers, method } = request;
  if (etagMatches(headers['if-none-match'], etag)) {
    reply.removeHeader('content-type');
    return reply.code(304).send();
  }
  const isSame = headers['if-range'] === undefined || headers['if-range'] === etag;
  const part = method === 'GET' && isSame ? rangeOf(headers.range, body.bytes) : null;
  const [from, until] = part ?? [0, body.bytes];
  if (part !== null) reply.code(206).header('content-range', `bytes ${from}-${until - 1}/${body.bytes}`);
  reply.header('content-length', until - from);
  // An empty text would be counted.
  return reply.send(method === 'HEAD' ? Readable.from([]) : body.open(from, until));
}

/** Null where everything is to be sent. */
function rangeOf(header: string | undefined, bytes: number): ByteRange | null {
  const found = header?.match(/^bytes=(?:(\d+)-(\d*)|-(\d+))$/i);
  if (found == null) return null;
  const [, first, last, suffix] = found;
  const from = first === undefined ? Math.max(0, bytes - Number(suffix)) : Number(first);
  const until = last === undefined || last === '' ? bytes : Math.min(bytes, Number(last) + 1);
  if (first !== undefined && last !== undefined && last !== '' && Number(last) < Number(first)) return null;
  if (from < until) return [from, until];
  throw new AssayError('range_not_satisfiable', `there are ${bytes} bytes, and none of this range`, {
    advice: 'ask without Range to get everything',
    details: { bytes },
  });
}
