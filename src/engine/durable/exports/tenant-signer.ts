import { describeKey, type Signer } from '#quality/certification/bundle';
import { currentKey, findPendingKey, type SigningKey, type Store, signingKeyRows } from '#store';

type Keys = Pick<Store, 'database' | 'data_folder' | 'signing_command'>;

/**
 * Returns the signer of a tenant's bundles, and registers its public key before the first signature. Its public key is
 * registered before the first signature. A replacement key that a killed process wrote but did not adopt is adopted now.
 */
export async function getSigner(store: Keys, tenant_id: string): Promise<Signer> {
  const scope = { sql: store.database.sql, tenant_id };
  const key = currentKey(store, tenant_id);
  const registered = await signingKeyRows.getKey(scope, describeKey(key.public_key).keyid);
  if (registered !== null && registered.valid_until !== null) {
    const next = findPendingKey(store, tenant_id);
    if (next !== null) {
      next.adopt();
      return toSigner(next.key);
    }
  }
  if (registered === null) await store.database.transaction(() => registerKey(store, tenant_id, key));
  return toSigner(key);
}

/**
 * Stores a tenant's key as valid from now on and returns its id; a key of a signing command ends the validity of the tenant's
 * other ones of commands.
 */
export async function registerKey(
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

const toSigner = ({ public_key, sign }: SigningKey): Signer => ({
  public_key: describeKey(public_key),
  sign,
});
