import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  AssayError,
  canonicalJson,
  type ErrorCode,
  errorCodes,
  type JsonObject,
  type JsonValue,
  limits,
  sha256,
} from '#core';
import type { Operation } from '#core/api';
import { idempotencyRows, type KeyClaim, type Store, type TenantScope } from '#store';
import { toCall } from '../request-identity.ts';
import { toLogEntry } from './request-log.ts';

const claimRenewal_ms = 10_000;
const keyRetention_ms = limits.requests.key_kept_ms.value;
const sweepInterval_ms = 3600_000;

/** Stored outcome of a request: the text of its answer, or its error. */
type Outcome =
  | { readonly text: string | null }
  | {
      readonly error: {
        readonly code: ErrorCode;
        readonly message: string;
        readonly advice: string | null;
        readonly details: JsonObject;
      };
    };

/** A request with an idempotency key. */
export interface IdempotentRequest {
  readonly operation: Operation;
  readonly request: FastifyRequest;
  /** Token of the request; stored answers are encrypted with it. */
  readonly token: string;
  /** Aborted when the client disconnects or the server stops. */
  readonly signal: AbortSignal;
}

/**
 * Returns the request's `Idempotency-Key`; null without one or if the operation ignores it. Throws `invalid_request`
 * for a malformed key.
 */
export function idempotencyKeyOf(operation: Operation, request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  if (operation.idempotent !== true || key === undefined) return null;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new AssayError('invalid_request', 'Idempotency-Key must be 1 to 255 printable characters', {
    details: {
      errors: [
        { pointer: '/headers/idempotency-key', message: 'must be 1 to 255 printable ASCII characters' },
      ],
    },
  });
}

/** A serialized JSON answer with its status code. */
export interface JsonAnswer {
  readonly text: string | undefined;
  readonly status: number;
}

/**
 * Runs `work` once per key and token and returns its answer: another request with the same key and input waits for the first
 * and gets the same answer or error; throws `idempotency_conflict` for another input. Effects that were committed before a
 * process was killed are not repeated.
 */
export async function onceForKey(
  store: Store,
  key: string,
  replayable: IdempotentRequest,
  work: () => Promise<JsonAnswer>,
): Promise<JsonAnswer & { readonly replayed: boolean }> {
  const { actor, request_id, now } = toCall(replayable.request);
  const scope = { sql: store.database.sql, tenant_id: actor.tenant_id };
  const claim = { token_id: actor.token_id, key, claim: `${request_id}.${randomBytes(6).toString('hex')}` };
  const hash = hashRequest(replayable);
  const earlier = await claimOrWait(scope, claim, { hash, now, signal: replayable.signal });
  if (earlier === null)
    return { ...(await runClaimed(store, scope, claim, replayable, work)), replayed: false };
  const outcome = JSON.parse(decrypt(earlier.answer, replayable.token, key)) as Outcome;
  if ('text' in outcome) {
    const status = earlier.status ?? replayable.operation.success.status;
    return { text: outcome.text ?? undefined, status, replayed: true };
  }
  throw fromStoredError(outcome.error);
}

async function runClaimed(
  store: Store,
  scope: TenantScope,
  claim: KeyClaim,
  replayable: IdempotentRequest,
  work: () => Promise<JsonAnswer>,
): Promise<JsonAnswer> {
  const keep = (status: number, outcome: Outcome) =>
    idempotencyRows.saveAnswer(scope, claim, {
      status,
      answer: encrypt(JSON.stringify(outcome), replayable.token, claim.key),
    });
  const renewal = setInterval(
    () => void idempotencyRows.renewClaim(scope, claim).catch(() => {}),
    claimRenewal_ms,
  ).unref();
  try {
    const answered = await store.database.withCommitHook(() => markInEffect(scope, claim), work);
    await keep(answered.status, { text: answered.text ?? null });
    return answered;
  } catch (thrown) {
    if (thrown instanceof AssayError && isRepeatable(thrown))
      await keep(errorCodes[thrown.code].status, { error: toStoredError(thrown) });
    else await idempotencyRows.dropClaim(scope, claim).catch(() => {});
    throw thrown;
  } finally {
    clearInterval(renewal);
  }
}

async function markInEffect(scope: TenantScope, claim: KeyClaim): Promise<void> {
  if (await idempotencyRows.markInEffect(scope, claim)) return;
  throw new AssayError(
    'idempotency_conflict',
    'another request with this Idempotency-Key took over the work',
    {
      advice: 'send the request again to get its response',
      details: { retry_after_s: 1 },
    },
  );
}

/** Returns whether a repeated request would get the same error: not for server errors and those that ask to retry. */
function isRepeatable({ code, details }: AssayError): boolean {
  const { status } = errorCodes[code];
  return status < 500 && status !== 429 && details.retry_after_s === undefined;
}

const toStoredError = ({ code, message, advice, details }: AssayError) => ({
  code,
  message,
  advice,
  details,
});

function fromStoredError(error: ReturnType<typeof toStoredError>): AssayError {
  const advice = error.advice === null ? {} : { advice: error.advice };
  return new AssayError(error.code, error.message, { ...advice, details: error.details });
}

function hashRequest({ operation, request }: IdempotentRequest): string {
  const { body = null } = request;
  // Copied, because parsed objects without prototype are not plain JSON.
  const params = { ...(request.params as JsonObject) };
  const query = { ...(request.query as JsonObject) };
  return sha256(canonicalJson({ operation: operation.id, params, query, body: body as JsonValue }));
}

const cipher = 'aes-256-gcm';
const deriveKey = (token: string, key: string): Buffer =>
  Buffer.from(hkdfSync('sha256', token, key, 'assay idempotency', 32));

function encrypt(text: string, token: string, key: string): string {
  const nonce = randomBytes(12);
  const sealing = createCipheriv(cipher, deriveKey(token, key), nonce);
  const sealed = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
  return Buffer.concat([nonce, sealing.getAuthTag(), sealed]).toString('base64');
}

function decrypt(encrypted: string, token: string, key: string): string {
  const bytes = Buffer.from(encrypted, 'base64');
  const opening = createDecipheriv(cipher, deriveKey(token, key), bytes.subarray(0, 12));
  opening.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([opening.update(bytes.subarray(28)), opening.final()]).toString('utf8');
}

/** Adds hooks to the server that delete expired idempotency keys when it starts and every hour; failures are only logged. */
export function sweepIdempotencyKeys(server: FastifyInstance, store: Store): void {
  const sweep = () =>
    idempotencyRows
      .deleteOldKeys(store.database.sql, new Date(Date.now() - keyRetention_ms))
      .catch((thrown) =>
        server.log.warn(
          toLogEntry(thrown),
          'could not delete old idempotency keys; they will be deleted later',
        ),
      );
  const timer = setInterval(() => void sweep(), sweepInterval_ms).unref();
  server.addHook('onListen', async () => void sweep());
  server.addHook('onClose', async () => clearInterval(timer));
}

type Row = idempotencyRows.IdempotencyRow;
/** Row of an earlier request with the same key that has been answered. */
type AnsweredRow = Row & { readonly answer: string };

/** Polling interval for a request in progress; it doubles up to the longest. */
const pause_ms = { first: 20, longest: 300 };

/** Hash and time of the request that claims a key. */
interface ClaimKeyOptions {
  readonly hash: string;
  readonly now: Date;
  /** Aborted when the client disconnects or the server stops. */
  readonly signal: AbortSignal;
}

/**
 * Claims an idempotency key for a request; null if the claim succeeds. If another request with the same input holds
 * the key, waits for it: returns its answered row, or claims the key if it ended without effect. Throws
 * `idempotency_conflict`.
 */
async function claimOrWait(
  scope: TenantScope,
  claim: KeyClaim,
  { hash, now, signal }: ClaimKeyOptions,
): Promise<AnsweredRow | null> {
  for (let pause = pause_ms.first; ; pause = Math.min(2 * pause, pause_ms.longest)) {
    const earlier = await idempotencyRows.claimKey(scope, claim, hash, now);
    if (earlier === null) return null;
    if (earlier.request_hash !== hash)
      throw new AssayError(
        'idempotency_conflict',
        'this Idempotency-Key was already used for a different request',
        {
          advice: 'use a new key for a new request',
        },
      );
    const { answer } = earlier;
    if (answer !== null) return { ...earlier, answer };
    if (earlier.claimed_until.getTime() <= Date.now()) throw endedWithoutAnswer();
    if (signal.aborted) throw requestUnderWay();
    await wait(pause, undefined, { signal }).catch(() => {});
  }
}

const requestUnderWay = (): AssayError =>
  new AssayError('idempotency_conflict', 'a request with this Idempotency-Key is still running', {
    advice: 'send it again after Retry-After to get its response',
    details: { retry_after_s: 1 },
  });

const endedWithoutAnswer = (): AssayError =>
  new AssayError(
    'idempotency_conflict',
    'a request with this Idempotency-Key took effect but was interrupted before it could respond',
    { advice: 'check whether the object was created before you send the request with a new key' },
  );
