import { join } from 'node:path';
import { AssayError } from '#core';
import type { Store } from '../store.ts';
import { commandKey } from './command-key.ts';
import { adoptNextKey, localKey, readStagedKey, type SigningKey, stageNextKey } from './local-keys.ts';

type KeyStore = Pick<Store, 'data_folder' | 'signing_command'>;

const keysFolder = ({ data_folder }: KeyStore): string => join(data_folder, 'keys');

/**
 * Returns the current signing key of a tenant: of the signing command if one is configured, else from the data folder, created
 * at first use.
 * @throws as `localKey` and `commandKey`
 */
export const currentKey = (store: KeyStore, tenant_id: string): SigningKey =>
  store.signing_command === undefined
    ? localKey(keysFolder(store), tenant_id)
    : commandKey(store.signing_command, tenant_id);

/**
 * Creates the next key of a tenant and returns it with a function that puts it into use once all processes know it; throws
 * `conflict` if the key is behind a command.
 */
export function createNextKey(
  store: KeyStore,
  tenant_id: string,
): { readonly key: SigningKey; readonly adopt: () => void } {
  if (store.signing_command !== undefined)
    throw new AssayError('conflict', 'ASSAY_SIGNING_COMMAND manages the key, so it must be rotated there', {
      advice:
        'rotate it there and set ASSAY_SIGNING_PUBLIC_KEY; the new key is listed after its first signature',
    });
  const folder = keysFolder(store);
  return { key: stageNextKey(folder, tenant_id), adopt: () => adoptNextKey(folder, tenant_id) };
}

/** Returns the next key of an interrupted replacement, and a function that puts it into use; null if there is none. */
export function findPendingKey(
  store: KeyStore,
  tenant_id: string,
): { readonly key: SigningKey; readonly adopt: () => void } | null {
  if (store.signing_command !== undefined) return null;
  const folder = keysFolder(store);
  const key = readStagedKey(folder, tenant_id);
  return key === null ? null : { key, adopt: () => adoptNextKey(folder, tenant_id) };
}
