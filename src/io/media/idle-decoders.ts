import type { GuardedChild } from '#io/processes';
import type { FromChild, ToChild } from './protocol.ts';

/** A child process that decodes media. */
export type Decoder = GuardedChild<ToChild, FromChild>;

/** Time in ms after which an idle decoder ends. */
const idle_ms = 5000;

interface IdleDecoder {
  readonly decoder: Decoder;
  readonly kind: string;
  readonly timer: NodeJS.Timeout;
}

/** Idle decoders of this thread. */
const idle = new Set<IdleDecoder>();

/**
 * Closes the files of a decoder and retains it for 5 s for the next service of this thread with the same `kind`, then
 * kills it. Starting a decoder costs about 0.17 s of CPU time, and a new one decodes more slowly.
 */
export function keepIdleDecoder(decoder: Decoder, kind: string): void {
  const timer = setTimeout(() => decoder.kill('was idle'), idle_ms).unref();
  const one: IdleDecoder = { decoder, kind, timer };
  const onEnd = () => {
    clearTimeout(timer);
    idle.delete(one);
  };
  decoder.setEvents({ onMessage: () => {}, onAlive: () => {}, onEnd });
  decoder.keepParentAlive(false);
  decoder.send({ kind: 'close-files' });
  idle.add(one);
}

/** Removes and returns an idle decoder of a kind; null if there is none. The caller must set its event callbacks. */
export function takeIdleDecoder(kind: string): Decoder | null {
  for (const one of idle) {
    if (one.kind !== kind) continue;
    clearTimeout(one.timer);
    idle.delete(one);
    return one.decoder;
  }
  return null;
}
