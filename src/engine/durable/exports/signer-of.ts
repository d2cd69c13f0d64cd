import { describeKey, type Signer } from '#quality/certification/bundle';
import { currentKey, type SigningKey, type Store, signingKeyRows, unfinishedKey } from '#store';

type Keys = Pick<Store, 'database' | 'data_folder' | 'signing_command'>;

/**
 * What a tenant's bundles are signed by in this process. Its public key is listed before it signs anything. A replacement
 * that a killed process has written down and not taken into use is taken into use now.
 */
export async function signerOf(store: Keys, tenant_id: string): Promise<Signer> {
  const scope = { sql: store.database.sql, tenant_id };
  const key = currentKey(store, tenant_id);
  const known = await signingKeyRows.getKey(scope, describeKey(key.public_key).keyid);
  if (known !== null && known.valid_until !== null) {
    const next = unfinishedKey(store, tenant_id);
    if (next !== null) {
      next.adopt();
      return signerWith(next.key);
    }
  }
  if (known === null) await store.database.transaction(() => listKey(store, tenant_id, key));
  return signerWith(key);
}

/** Lists a key as one that signs from now on; answers its id. */
export async function listKey(
  store: Keys,
  tenant_id: string,
  { public_key, place }: SigningKey,
): Promise<string> {
  const scope = { sql: store.database.sql, tenant_id };
  const { keyid, pem } = describeKey(public_key);
  const now = new Date();
  await signingKeyRows.addKey(scope, {
    ...{ tenant_id, keyid, place },
    public_key: pem,
    valid_from: now,
    valid_until: null,
  });
  if (place === 'command') await signingKeyRows.endOtherCommands(scope, keyid, now);
  return keyid;
}

const signerWith = ({ public_key, sign }: SigningKey): Signer => ({
  public_key: describeKey(public_key),
  sign,
});
