import { verify } from 'node:crypto';
import { z } from 'zod';
import type { PublicKey } from './public-key.ts';

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

/** What signs elsewhere or here: gets the bytes of `preAuthenticated`, answers a raw Ed25519 signature of 64 bytes. */
export interface Signer {
  readonly public_key: PublicKey;
  sign(bytes: Uint8Array): Promise<Uint8Array>;
}

/** DSSE's pre-authentication encoding (PAE): these bytes are signed. */
function preAuthenticated(type: string, payload: Uint8Array): Uint8Array {
  const head = `DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

/** The payload in a signed envelope, as JSON text. */
export async function signEnvelope(payload: Uint8Array, signer: Signer): Promise<string> {
  const sig = await signer.sign(preAuthenticated(payloadType, payload));
  return `${JSON.stringify({
    payload: Buffer.from(payload).toString('base64'),
    payloadType,
    signatures: [{ keyid: signer.public_key.keyid, sig: Buffer.from(sig).toString('base64') }],
  })}\n`;
}

/** An envelope from its JSON text; null for anything else. */
export function parseEnvelope(text: string): Envelope | null {
  try {
    return envelopeSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

const base64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
/** Standard and URL-safe base64, as DSSE asks of verifiers; null for what is neither. */
const decode = (text: string): Buffer | null => (base64.test(text) ? Buffer.from(text, 'base64') : null);

/** The payload of an envelope that one of its signatures proves to be of the key; null where none does. */
export function verifiedPayload(
  { payload, payloadType: type, signatures }: Envelope,
  { key }: PublicKey,
): Buffer | null {
  const bytes = decode(payload);
  if (bytes === null) return null;
  const signed = preAuthenticated(type, bytes);
  const fits = signatures.some(({ sig }) => {
    const raw = decode(sig);
    return raw !== null && raw.length === 64 && verify(null, signed, key, raw);
  });
  return fits ? bytes : null;
}
