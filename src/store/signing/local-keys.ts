import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { AssayError, asUnreadable, messageOf, systemCode } from '#core';
import type { SigningKey } from './signing-key.ts';

/** A tenant's folder below the folder of keys; ids of tenants are letters and digits. */
const placeOf = (folder: string, tenant_id: string) => join(folder, tenant_id.replaceAll(/[^\w-]/g, '_'));
const current = 'current.pem';
const next = 'next.pem';

/**
 * The tenant's key, made when it is first asked for, in a file that its owner alone reads. Two processes that ask at once
 * get one key. Throws `output_unwritable`, `unreadable_input`.
 */
export function localKey(folder: string, tenant_id: string): SigningKey {
  const place = placeOf(folder, tenant_id);
  const file = join(place, current);
  if (!existsSync(file)) writeNew(place, current, 'keep');
  return keyOf(readKey(file));
}

/** Writes down a key that is to follow; `adoptNext` takes it into use. What an earlier try has left is replaced. */
export function stageNext(folder: string, tenant_id: string): SigningKey {
  const place = placeOf(folder, tenant_id);
  writeNew(place, next, 'replace');
  return keyOf(readKey(join(place, next)));
}

/** The key that is to follow; null: there is none. */
export function stagedNext(folder: string, tenant_id: string): SigningKey | null {
  const file = join(placeOf(folder, tenant_id), next);
  return existsSync(file) ? keyOf(readKey(file)) : null;
}

/** Takes the staged key into use; the private half of the one before is gone from then on. */
export function adoptNext(folder: string, tenant_id: string): void {
  const place = placeOf(folder, tenant_id);
  renameSync(join(place, next), join(place, current));
  syncFolder(place);
}

/** The private key in a PEM file. Throws `unreadable_input`. */
export const keyInFile = (file: string): SigningKey => keyOf(readKey(file));

function keyOf(key: KeyObject): SigningKey {
  return {
    public_key: createPublicKey(key),
    place: 'local_file',
    sign: async (bytes) => sign(null, bytes, key),
  };
}

function readKey(file: string): KeyObject {
  const pem = bytesOf(file);
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // What the library says may quote what was read.
  }
  throw new AssayError('unreadable_input', 'this is no Ed25519 private key', {
    path: file,
    advice: 'put the key back from a backup, or move the file away to have a new key made',
  });
}

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (thrown) {
    throw asUnreadable(thrown, file, 'check that you may read it');
  }
}

/** Whole or not at all, and on the disk when this returns. `keep`: a file that is there already stays. */
function writeNew(place: string, name: string, existing: 'keep' | 'replace'): void {
  const half = join(place, `.${randomUUID()}`);
  try {
    mkdirSync(place, { recursive: true, mode: 0o700 });
    const { privateKey } = generateKeyPairSync('ed25519');
    const file = openSync(half, 'wx', 0o600);
    try {
      writeSync(file, String(privateKey.export({ type: 'pkcs8', format: 'pem' })));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    if (existing === 'replace') renameSync(half, join(place, name));
    else linkNew(half, join(place, name));
    syncFolder(place);
  } catch (thrown) {
    throw new AssayError('output_unwritable', `the signing key could not be kept: ${messageOf(thrown)}`, {
      path: place,
      advice: 'choose a data folder that you may write to, on a disk with room',
    });
  } finally {
    rmSync(half, { force: true });
  }
}

/** Unlike a rename, a link never takes the place of what another process has written meanwhile. */
function linkNew(half: string, file: string): void {
  try {
    linkSync(half, file);
  } catch (thrown) {
    if (systemCode(thrown) !== 'EEXIST') throw thrown;
  }
}

function syncFolder(place: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(place, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
