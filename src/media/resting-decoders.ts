import type { GuardedChild } from '#processes';
import type { FromChild, ToChild } from './protocol.ts';

export type Decoder = GuardedChild<ToChild, FromChild>;

/** Decoders that nobody wants for so long are ended. */
const rest_ms = 5000;

interface Resting {
  readonly decoder: Decoder;
  readonly kind: string;
  readonly timer: NodeJS.Timeout;
}

/** Of this thread. */
const resting = new Set<Resting>();

/**
 * Has a decoder that has nothing to do close its files and wait some seconds for whoever wants one of its kind next.
 * Starting one takes a sixth of a second of processor time, and it decodes the slower the newer it is.
 */
export function restDecoder(decoder: Decoder, kind: string): void {
  const timer = setTimeout(() => decoder.kill('nobody wants it'), rest_ms).unref();
  const one: Resting = { decoder, kind, timer };
  const onGone = () => {
    clearTimeout(timer);
    resting.delete(one);
  };
  decoder.listen({ onMessage: () => {}, onAlive: () => {}, onGone });
  decoder.hold(false);
  decoder.send({ kind: 'rest' });
  resting.add(one);
}

/** A decoder of that kind that rests, for the caller to listen to; null where there is none. */
export function wakeDecoder(kind: string): Decoder | null {
  for (const one of resting) {
    if (one.kind !== kind) continue;
    clearTimeout(one.timer);
    resting.delete(one);
    return one.decoder;
  }
  return null;
}
