import { join } from 'node:path';
import { AssayError } from '#core';
import type { Store } from '../store.ts';
import { commandKey } from './command-key.ts';
import { adoptNext, localKey, stagedNext, stageNext } from './local-keys.ts';
import type { SigningKey } from './signing-key.ts';

type KeyPlace = Pick<Store, 'data_folder' | 'signing_command'>;

const folderOf = ({ data_folder }: KeyPlace): string => join(data_folder, 'keys');

/** The key that a tenant signs with in this process. Throws as `localKey` and `commandKey`. */
export const currentKey = (store: KeyPlace, tenant_id: string): SigningKey =>
  store.signing_command === undefined
    ? localKey(folderOf(store), tenant_id)
    : commandKey(store.signing_command, tenant_id);

/** A new key that is to follow; what it takes to use it, once it is known to all. Throws `conflict` behind a command. */
export function nextKey(
  store: KeyPlace,
  tenant_id: string,
): { readonly key: SigningKey; readonly adopt: () => void } {
  if (store.signing_command !== undefined)
    throw new AssayError('conflict', 'the key lies behind ASSAY_SIGNING_COMMAND and is replaced there', {
      advice:
        'replace it there and set ASSAY_SIGNING_PUBLIC_KEY; the new one is listed from its first signature on',
    });
  const folder = folderOf(store);
  return { key: stageNext(folder, tenant_id), adopt: () => adoptNext(folder, tenant_id) };
}

/** A key that was to follow when a process was killed; null: there is none. */
export function unfinishedKey(
  store: KeyPlace,
  tenant_id: string,
): { readonly key: SigningKey; readonly adopt: () => void } | null {
  if (store.signing_command !== undefined) return null;
  const folder = folderOf(store);
  const key = stagedNext(folder, tenant_id);
  return key === null ? null : { key, adopt: () => adoptNext(folder, tenant_id) };
}
