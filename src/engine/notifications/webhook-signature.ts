import { createHmac, randomBytes } from 'node:crypto';

const secretPrefix = 'whsec_';

/** Returns a new secret of a webhook: `whsec_` and 32 random bytes in base64. */
export const newWebhookSecret = (): string => `${secretPrefix}${randomBytes(32).toString('base64')}`;

/** A message to sign. */
export interface SignedMessage {
  /** Id of the event, the same in every attempt. */
  readonly id: string;
  readonly sent_at: Date;
  readonly body: string;
}

/**
 * Returns the headers of a webhook request as the Standard Webhooks specification 1.0.0 defines them: `webhook-signature`
 * has one `v1,…` for each secret, the base64 of the HMAC-SHA256 over `id.timestamp.body`.
 */
export function signWebhook(
  { id, sent_at, body }: SignedMessage,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(sent_at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
