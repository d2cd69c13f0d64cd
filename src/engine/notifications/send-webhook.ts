import { AssayError, messageOf } from '#core';
import { guardedFetch } from '#io/sources/web';
import type { TargetRow } from '#store';
import type { AttemptResult } from './attempt.ts';
import { type SignedMessage, signWebhook } from './webhook-signature.ts';

/** Maximum bytes of an answer that are read before the connection is closed; they are not stored. */
const maxAnswer_bytes = 64 * 1024;

/** Networks that may be reached besides public addresses, and the end of the attempt. */
interface WebhookOptions {
  readonly networks: readonly string[];
  /** Aborted with a `TimeoutError` when the time limit is reached. */
  readonly signal: AbortSignal;
}

/**
 * Sends one event to a webhook. Every 2xx status counts as delivered; redirects are not followed, since they could
 * lead to an address that nobody chose.
 */
export async function sendWebhook(
  target: TargetRow,
  message: SignedMessage,
  { networks, signal }: WebhookOptions,
): Promise<AttemptResult> {
  try {
    const answer = await guardedFetch(networks)(new URL(target.destination), {
      method: 'POST',
      headers: {
        ...signWebhook(message, secretsOf(target, message.sent_at)),
        'content-type': 'application/json',
        'user-agent': 'assay',
        // A connection that the receiver has closed meanwhile must not fail the next delivery.
        connection: 'close',
      },
      body: message.body,
      signal,
    });
    await discardBody(answer);
    return resultOf(answer.status);
  } catch (thrown) {
    return { outcome: 'failed', response_status: null, error: failureText(thrown, signal) };
  }
}

function secretsOf({ secret, previous_secret, previous_secret_until }: TargetRow, now: Date): string[] {
  const previous = previous_secret_until !== null && previous_secret_until > now ? previous_secret : null;
  return [secret, previous].filter((one) => one !== null);
}

/** Reads a short answer to its end, so that the receiver sees no broken connection, and cuts off a long one. */
async function discardBody({ body }: Response): Promise<void> {
  if (body === null) return;
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    // Leaving the loop closes the connection.
    if (bytes > maxAnswer_bytes) return;
  }
}

function resultOf(status: number): AttemptResult {
  if (status >= 200 && status < 300) return { outcome: 'delivered', response_status: status, error: null };
  if (status === 410)
    return {
      outcome: 'gone',
      response_status: status,
      error: 'the receiver answered 410 Gone; the webhook was disabled',
    };
  const error =
    status >= 300 && status < 400
      ? `the receiver answered ${status}; redirects are not followed, set the address that it leads to`
      : `the receiver answered ${status}`;
  return { outcome: 'failed', response_status: status, error };
}

function failureText(thrown: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'no answer within the time limit';
  if (thrown instanceof AssayError) return thrown.message;
  const { code } = thrown as { readonly code?: unknown };
  return typeof code === 'string' ? `the connection failed: ${code}` : messageOf(thrown);
}
