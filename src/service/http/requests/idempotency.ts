import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
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
import { callOf } from '../tokens/call-of.ts';
import { claimOrWait } from './claim-key.ts';
import { loggable } from './request-log.ts';

const renewal_ms = 10_000;
const kept_ms = limits.requests.key_kept_ms.value;
const sweep_ms = 3600_000;

/** What a request came to: the text of its answer, or the error it was refused with. */
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

export interface Replayable {
  readonly operation: Operation;
  readonly request: FastifyRequest;
  /** The bearer token; answers are kept encrypted under it. */
  readonly token: string;
  /** Aborted when nobody waits for the answer any more, or the server stops. */
  readonly signal: AbortSignal;
}

/** The request's `Idempotency-Key`; null without one, or where the operation heeds none. */
export function idempotencyKeyOf(operation: Operation, request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  if (operation.idempotent !== true || key === undefined) return null;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new AssayError('invalid_request', 'Idempotency-Key must be 1 to 255 printable characters', {
    details: { errors: [{ pointer: '/headers/idempotency-key', message: 'is not a key' }] },
  });
}

/** What `work` answers with. */
export interface Answered {
  readonly text: string | undefined;
  readonly status: number;
}

/**
 * Does `work` once for a key: another request with the same key and input waits for the answer of the first and is given
 * the same. What a process had committed when it was killed is not done again.
 */
export async function onceForKey(
  store: Store,
  key: string,
  asked: Replayable,
  work: () => Promise<Answered>,
): Promise<Answered & { readonly replayed: boolean }> {
  const { actor, request_id, now } = callOf(asked.request);
  const scope = { sql: store.database.sql, tenant_id: actor.tenant_id };
  const claim = { token_id: actor.token_id, key, claim: `${request_id}.${randomBytes(6).toString('hex')}` };
  const hash = requestHash(asked);
  const other = await claimOrWait(scope, claim, { hash, now, signal: asked.signal });
  if (other === null) return { ...(await doClaimed(store, scope, claim, asked, work)), replayed: false };
  const outcome = JSON.parse(decrypt(other.answer, asked.token, key)) as Outcome;
  if ('text' in outcome) {
    const status = other.status ?? asked.operation.success.status;
    return { text: outcome.text ?? undefined, status, replayed: true };
  }
  throw errorAgain(outcome.error);
}

async function doClaimed(
  store: Store,
  scope: TenantScope,
  claim: KeyClaim,
  asked: Replayable,
  work: () => Promise<Answered>,
): Promise<Answered> {
  const keep = (status: number, outcome: Outcome) =>
    idempotencyRows.keepAnswer(scope, claim, {
      status,
      answer: encrypt(JSON.stringify(outcome), asked.token, claim.key),
    });
  const renewal = setInterval(
    () => void idempotencyRows.renewClaim(scope, claim).catch(() => {}),
    renewal_ms,
  ).unref();
  try {
    const answered = await store.database.marking(() => mark(scope, claim), work);
    await keep(answered.status, { text: answered.text ?? null });
    return answered;
  } catch (thrown) {
    if (thrown instanceof AssayError && isSettled(thrown))
      await keep(errorCodes[thrown.code].status, { error: outcomeOf(thrown) });
    else await idempotencyRows.dropClaim(scope, claim).catch(() => {});
    throw thrown;
  } finally {
    clearInterval(renewal);
  }
}

async function mark(scope: TenantScope, claim: KeyClaim): Promise<void> {
  if (await idempotencyRows.markInEffect(scope, claim)) return;
  throw new AssayError('idempotency_conflict', 'another request with this Idempotency-Key took over', {
    advice: 'send it again to be given its answer',
    details: { retry_after_s: 1 },
  });
}

/** Whether trying again would be answered the same: not where the answer itself says to come back. */
function isSettled({ code, details }: AssayError): boolean {
  const { status } = errorCodes[code];
  return status < 500 && status !== 429 && details.retry_after_s === undefined;
}

const outcomeOf = ({ code, message, advice, details }: AssayError) => ({ code, message, advice, details });

function errorAgain(error: ReturnType<typeof outcomeOf>): AssayError {
  const advice = error.advice === null ? {} : { advice: error.advice };
  return new AssayError(error.code, error.message, { ...advice, details: error.details });
}

function requestHash({ operation, request }: Replayable): string {
  const { body = null } = request;
  // Copied, because what the parsers make has no prototype, which is no plain JSON.
  const params = { ...(request.params as JsonObject) };
  const query = { ...(request.query as JsonObject) };
  return sha256(canonicalJson({ operation: operation.id, params, query, body: body as JsonValue }));
}

const cipher = 'aes-256-gcm';
const keyFor = (token: string, key: string): Buffer =>
  Buffer.from(hkdfSync('sha256', token, key, 'assay idempotency', 32));

function encrypt(text: string, token: string, key: string): string {
  const nonce = randomBytes(12);
  const sealing = createCipheriv(cipher, keyFor(token, key), nonce);
  const sealed = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
  return Buffer.concat([nonce, sealing.getAuthTag(), sealed]).toString('base64');
}

function decrypt(kept: string, token: string, key: string): string {
  const bytes = Buffer.from(kept, 'base64');
  const opening = createDecipheriv(cipher, keyFor(token, key), bytes.subarray(0, 12));
  opening.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([opening.update(bytes.subarray(28)), opening.final()]).toString('utf8');
}

/** Takes away kept answers that nobody will ask for again, now and every hour. */
export function sweepIdempotencyKeys(server: FastifyInstance, store: Store): void {
  const sweep = () =>
    idempotencyRows
      .deleteOldKeys(store.database.sql, new Date(Date.now() - kept_ms))
      .catch((thrown) => server.log.warn(loggable(thrown), 'old idempotency keys stay for now'));
  const timer = setInterval(() => void sweep(), sweep_ms).unref();
  server.addHook('onListen', async () => void sweep());
  server.addHook('onClose', async () => clearInterval(timer));
}
