import { createPublicKey, type KeyObject } from 'node:crypto';
import { AssayError, sha256 } from '#core';

/** Ed25519 public key with its id. */
export interface PublicKey {
  /** SHA-256 of its DER (SubjectPublicKeyInfo): `openssl pkey -pubin -in KEY -outform DER | sha256sum`. */
  readonly keyid: string;
  readonly pem: string;
  readonly key: KeyObject;
}

/**
 * Parses an Ed25519 public key from PEM text, and throws `unreadable_input` for anything else, including a private
 * key.
 */
export function parsePublicKey(pem: string, path?: string): PublicKey {
  try {
    if (!pem.trimStart().startsWith('-----BEGIN PUBLIC KEY-----'))
      throw new TypeError('it is not a public key');
    const key = createPublicKey(pem);
    if (key.asymmetricKeyType !== 'ed25519') throw new TypeError(`it is of type ${key.asymmetricKeyType}`);
    return describeKey(key);
  } catch (thrown) {
    throw new AssayError('unreadable_input', 'not an Ed25519 public key in PEM format', {
      ...(path === undefined ? {} : { path }),
      advice: 'pass a file that starts with -----BEGIN PUBLIC KEY-----',
      cause: thrown,
    });
  }
}

/** Returns the public key with its id and PEM; from a private key it takes the public half. */
export function describeKey(key: KeyObject): PublicKey {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return {
    keyid: sha256(der),
    pem: String(publicKey.export({ type: 'spki', format: 'pem' })),
    key: publicKey,
  };
}
