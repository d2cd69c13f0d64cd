import { verify } from 'node:crypto';
import { z } from 'zod';
import type { PublicKey } from './public-key.ts';

/** DSSE payload type of an in-toto statement. */
export const payloadType = 'application/vnd.in-toto+json';

const envelopeSchema = z.looseObject({
  payload: z.string(),
  payloadType: z.string(),
  signatures: z
    .array(z.looseObject({ keyid: z.string().optional(), sig: z.string() }))
    .min(1)
    .max(16),
});
/** A DSSE v1.0.2 envelope. */
export type Envelope = z.infer<typeof envelopeSchema>;

/**
 * Signs the bytes of the pre-authentication encoding, locally or remotely; returns a raw Ed25519 signature of 64
 * bytes.
 */
export interface Signer {
  readonly public_key: PublicKey;
  sign(bytes: Uint8Array): Promise<Uint8Array>;
}

/** Returns DSSE's pre-authentication encoding (PAE) of a payload: the bytes that are signed. */
function encodePreAuth(type: string, payload: Uint8Array): Uint8Array {
  const head = `DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

/** Signs the payload and returns the DSSE envelope as one line of JSON text. */
export async function signEnvelope(payload: Uint8Array, signer: Signer): Promise<string> {
  const sig = await signer.sign(encodePreAuth(payloadType, payload));
  return `${JSON.stringify({
    payload: Buffer.from(payload).toString('base64'),
    payloadType,
    signatures: [{ keyid: signer.public_key.keyid, sig: Buffer.from(sig).toString('base64') }],
  })}\n`;
}

/** Parses a DSSE envelope from JSON text; returns `null` if it is not one. The signature is not verified. */
export function parseEnvelope(text: string): Envelope | null {
  try {
    return envelopeSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

const base64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
/** Decodes standard or URL-safe base64, both of which DSSE verifiers must accept; null for other text. */
const decodeBase64 = (text: string): Buffer | null =>
  base64.test(text) ? Buffer.from(text, 'base64') : null;

/** Returns the payload if at least one signature of the envelope verifies with the key; null otherwise. */
export function verifiedPayload(
  { payload, payloadType: type, signatures }: Envelope,
  { key }: PublicKey,
): Buffer | null {
  const bytes = decodeBase64(payload);
  if (bytes === null) return null;
  const signed = encodePreAuth(type, bytes);
  const fits = signatures.some(({ sig }) => {
    const raw = decodeBase64(sig);
    return raw !== null && raw.length === 64 && verify(null, signed, key, raw);
  });
  return fits ? bytes : null;
}
