import { parseEnvelope, payloadType, verifiedPayload } from './envelope.ts';
import { bundleNames } from './names.ts';
import { type PublicKey, parsePublicKey } from './public-key.ts';
import type { BundleEntries } from './read-entries.ts';
import { parseStatement, type Statement } from './statement.ts';

/** A key that whoever verifies trusts: the key itself, or its id. */
export type TrustedKey = { readonly key: PublicKey } | { readonly keyid: string };

/** What the signature of a bundle proves. */
export interface CheckedSignature {
  readonly problems: readonly string[];
  /** The key that signed; null where none is known. */
  readonly keyid: string | null;
  /** What was signed, where the signature holds. */
  readonly statement: Statement | null;
}

const { statement: file, key: keyFile } = bundleNames;
const failed = (problem: string, keyid: string | null = null): CheckedSignature => ({
  problems: [problem],
  keyid,
  statement: null,
});

/** Verifies the statement's envelope with the trusted key, or with the key in the bundle where none is named. */
export async function checkSignature(
  { read }: BundleEntries,
  trusted: TrustedKey | null,
): Promise<CheckedSignature> {
  const [bytes, pem] = [await read(file), await read(keyFile)];
  if (bytes === null) return failed(`${file} was removed: nothing says what was sealed`);
  const envelope = parseEnvelope(Buffer.from(bytes).toString());
  if (envelope === null) return failed(`${file} was changed: it is no DSSE envelope`);
  const embedded = pem === null ? null : embeddedKey(pem);
  const key = trusted !== null && 'key' in trusted ? trusted.key : embedded;
  if (key === null)
    return failed(`${keyFile} was ${pem === null ? 'removed' : 'changed'}: no key to verify with`);
  const named = envelope.signatures[0].keyid ?? null;
  const wanted = trusted === null ? key.keyid : 'key' in trusted ? trusted.key.keyid : trusted.keyid;
  if (wanted !== key.keyid || (trusted !== null && named !== null && named !== wanted))
    return failed(`the bundle is signed by another key: ${named ?? key.keyid}, not ${wanted}`, named);
  if (named !== null && named !== key.keyid)
    return failed(`${keyFile} was changed: it is not the key that the signature names, ${named}`, named);
  const payload = verifiedPayload(envelope, key);
  if (payload === null)
    return failed(`the signature in ${file} does not fit: it, or what it signs, was changed`, key.keyid);
  const statement = envelope.payloadType === payloadType ? parseStatement(payload) : null;
  if (statement === null) return failed(`${file} signs something else than a bundle of Assay`, key.keyid);
  return { problems: [], keyid: key.keyid, statement };
}

function embeddedKey(pem: Uint8Array): PublicKey | null {
  try {
    return parsePublicKey(Buffer.from(pem).toString());
  } catch {
    return null;
  }
}
