import type { GuardedChild } from '#io/processes';
import type { FromChild, ToChild } from './protocol.ts';

export type Decoder = GuardedChild<ToChild, FromChild>;

/** An idle decoder ends after this time. */
const idle_ms = 5000;

interface IdleDecoder {
  readonly decoder: Decoder;
  readonly kind: string;
  readonly timer: NodeJS.Timeout;
}

/** Idle decoders of this thread. */
const idle = new Set<IdleDecoder>();

/**
 * Closes the files of a decoder and keeps it for five seconds, for the next service of this thread that needs one of the
 * same kind. Starting one takes a sixth of a second of processor time, and a new one decodes more slowly.
 */
export function keepIdleDecoder(decoder: Decoder, kind: string): void {
  const timer = setTimeout(() => decoder.kill('nobody needs it'), idle_ms).unref();
  const one: IdleDecoder = { decoder, kind, timer };
  const onGone = () => {
    clearTimeout(timer);
    idle.delete(one);
  };
  decoder.listen({ onMessage: () => {}, onAlive: () => {}, onGone });
  decoder.hold(false);
  decoder.send({ kind: 'close-files' });
  idle.add(one);
}

/** Takes an idle decoder of this kind, to which the caller has to listen; null if there is none. */
export function takeIdleDecoder(kind: string): Decoder | null {
  for (const one of idle) {
    if (one.kind !== kind) continue;
    clearTimeout(one.timer);
    idle.delete(one);
    return one.decoder;
  }
  return null;
}
