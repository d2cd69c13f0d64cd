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
import { AssayError, messageOf, systemCode, wrapReadError } from '#core';

/** Returns the key folder of a tenant; tenant ids are letters and digits. */
const tenantFolder = (folder: string, tenant_id: string) =>
  join(folder, tenant_id.replaceAll(/[^\w-]/g, '_'));
const currentFile = 'current.pem';
const nextFile = 'next.pem';

/**
 * Returns the key of a tenant, creating it at first use in a file that only its owner can read. Two processes that do
 * so at the same time get the same key. Throws `output_unwritable`, `unreadable_input`.
 */
export function localKey(folder: string, tenant_id: string): SigningKey {
  const keyFolder = tenantFolder(folder, tenant_id);
  const file = join(keyFolder, currentFile);
  if (!existsSync(file)) writeNewKey(keyFolder, currentFile, 'keep');
  return toSigningKey(readKey(file));
}

/**
 * Writes the next key of a tenant to a file and returns it; `adoptNextKey` puts it into use. Replaces the next key of an
 * earlier attempt.
 */
export function stageNextKey(folder: string, tenant_id: string): SigningKey {
  const keyFolder = tenantFolder(folder, tenant_id);
  writeNewKey(keyFolder, nextFile, 'replace');
  return toSigningKey(readKey(join(keyFolder, nextFile)));
}

/** Returns the staged next key; null if there is none. */
export function readStagedKey(folder: string, tenant_id: string): SigningKey | null {
  const file = join(tenantFolder(folder, tenant_id), nextFile);
  return existsSync(file) ? toSigningKey(readKey(file)) : null;
}

/** Replaces the current key with the staged one; the previous private key is lost. */
export function adoptNextKey(folder: string, tenant_id: string): void {
  const keyFolder = tenantFolder(folder, tenant_id);
  renameSync(join(keyFolder, nextFile), join(keyFolder, currentFile));
  syncFolder(keyFolder);
}

/** Reads a private Ed25519 key from a PEM file. Throws `unreadable_input`. */
export const readKeyFile = (file: string): SigningKey => toSigningKey(readKey(file));

function toSigningKey(key: KeyObject): SigningKey {
  return {
    public_key: createPublicKey(key),
    place: 'local_file',
    sign: async (bytes) => sign(null, bytes, key),
  };
}

function readKey(file: string): KeyObject {
  const pem = readBytes(file);
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // The error of the library may contain parts of the file.
  }
  throw new AssayError('unreadable_input', 'not an Ed25519 private key', {
    path: file,
    advice: 'restore the key from a backup, or move the file away to create a new key',
  });
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (thrown) {
    throw wrapReadError(thrown, file, 'check that you have permission to read it');
  }
}

/**
 * Creates a key file, completely or not at all, synced to disk when this returns. `keep`: an existing file stays. Throws
 * `output_unwritable`.
 */
function writeNewKey(keyFolder: string, name: string, existing: 'keep' | 'replace'): void {
  const half = join(keyFolder, `.${randomUUID()}`);
  try {
    mkdirSync(keyFolder, { recursive: true, mode: 0o700 });
    const { privateKey } = generateKeyPairSync('ed25519');
    const file = openSync(half, 'wx', 0o600);
    try {
      writeSync(file, String(privateKey.export({ type: 'pkcs8', format: 'pem' })));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    if (existing === 'replace') renameSync(half, join(keyFolder, name));
    else linkIfAbsent(half, join(keyFolder, name));
    syncFolder(keyFolder);
  } catch (thrown) {
    throw new AssayError('output_unwritable', `cannot write the signing key: ${messageOf(thrown)}`, {
      path: keyFolder,
      advice: 'choose a writable data folder on a disk with free space',
    });
  } finally {
    rmSync(half, { force: true });
  }
}

/**
 * Links a file to its final name unless that exists; unlike a rename, a link never replaces a file of another process.
 */
function linkIfAbsent(half: string, file: string): void {
  try {
    linkSync(half, file);
  } catch (thrown) {
    if (systemCode(thrown) !== 'EEXIST') throw thrown;
  }
}

function syncFolder(keyFolder: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(keyFolder, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** An Ed25519 signing key of a tenant. */
export interface SigningKey {
  readonly public_key: KeyObject;
  /** Whether the private key is in the data folder or behind a command. */
  readonly place: 'local_file' | 'command';
  /** Returns the signature as 64 raw bytes. */
  sign(bytes: Uint8Array): Promise<Uint8Array>;
}
