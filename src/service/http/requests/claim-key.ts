import { setTimeout as wait } from 'node:timers/promises';
import { AssayError } from '#core';
import { idempotencyRows, type KeyClaim, type TenantScope } from '#store';

type Row = idempotencyRows.IdempotencyRow;
/** A request that had its key before: what it was answered, under which status. */
type Answered = Row & { readonly answer: string };

/** Between two looks at a request that is under way; they grow further apart. */
const pause_ms = { first: 20, longest: 300 };

export interface ClaimKeyOptions {
  readonly hash: string;
  readonly now: Date;
  /** Aborted when nobody waits for the answer any more, or the server stops. */
  readonly signal: AbortSignal;
}

/**
 * Takes a key for a request: null where it is its own. Where another request with the same input has it, waits for that
 * one's end: gives the row with its answer, or takes the key where it came to nothing. Throws `idempotency_conflict`.
 */
export async function claimOrWait(
  scope: TenantScope,
  claim: KeyClaim,
  { hash, now, signal }: ClaimKeyOptions,
): Promise<Answered | null> {
  for (let pause = pause_ms.first; ; pause = Math.min(2 * pause, pause_ms.longest)) {
    const other = await idempotencyRows.claimKey(scope, claim, hash, now);
    if (other === null) return null;
    if (other.request_hash !== hash)
      throw new AssayError('idempotency_conflict', 'this Idempotency-Key was used for another request', {
        advice: 'use a new key for a new request',
      });
    const { answer } = other;
    if (answer !== null) return { ...other, answer };
    if (other.claimed_until.getTime() <= Date.now()) throw endedWithoutAnswer();
    if (signal.aborted) throw underWay();
    await wait(pause, undefined, { signal }).catch(() => {});
  }
}

const underWay = (): AssayError =>
  new AssayError('idempotency_conflict', 'a request with this Idempotency-Key is under way', {
    advice: 'send it again after Retry-After to be given its answer',
    details: { retry_after_s: 1 },
  });

const endedWithoutAnswer = (): AssayError =>
  new AssayError(
    'idempotency_conflict',
    'a request with this Idempotency-Key took effect, but ended before it had answered',
    { advice: 'look for what it made before sending it under a new key' },
  );
