import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { type Role, roles } from '#core/api';
import { operations } from '#core/api/operations';
import { startWorkEngine } from '#engine';
import { createServer, handlers } from '#service/http';
import { mcpMount } from '#service/mcp';
import {
  createTenant,
  createToken,
  defaultTenant,
  findActor,
  revokeToken,
  systemCall,
} from '#service/operations';
import { type BlobsOptions, openBlobs, openQueue, type Store } from '#store';
import { sharedStore } from './run-service.ts';
import { openTestStore, type TestStore } from './service-store.ts';
import { timedStart } from './timings.ts';
import { writeTinyRecordings } from './tiny-recordings.ts';

/** One tenant of the service under test. */
export interface TestTenant {
  readonly id: string;
  readonly name: string;
  readonly tokens: Readonly<Record<Role, string>>;
}

/** The whole service on a real port, with two tenants that hold nothing yet; the first is the operator's. */
export interface ContractService {
  readonly address: string;
  /** Store of the service, for calls without HTTP. */
  readonly store: TestStore;
  readonly tenants: readonly [TestTenant, TestTenant];
  /** Tokens that were good once. */
  readonly expired: string;
  readonly revoked: string;
  /** A folder with recordings that sources may be made of. */
  readonly recordings: string;
  /** Faults that the service logged. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

export interface ContractServiceOptions {
  /** Writes what sources may be made of; absent: two short demonstrations. */
  readonly write?: (folder: string) => Promise<unknown>;
  /** Absent: nobody answers for the copilot. */
  readonly copilot_providers?: Store['copilot_providers'];
  /** Absent: the operator sets no models. */
  readonly environment_models?: Store['environment_models'];
}

export async function startContractService(options: ContractServiceOptions = {}): Promise<ContractService> {
  const recordings = await writeRecordings(options);
  const { store, blobs } = await openStore(recordings, options);
  const engine = await timedStart(
    'engine',
    startWorkEngine(store, { blobs, worker: 'contract', threads: 1 }),
  );
  const service = await serve(store, recordings, [defaultTenant, 'two']);
  return {
    ...service,
    close: async () => {
      await service.close();
      await store.queue.stop(1000);
      await engine.close();
      await store.close();
    },
  };
}

/**
 * The same on the store and work engine that all test files of this process share: with two new tenants, neither of
 * them the operator's.
 */
export async function joinContractService(options: ContractServiceOptions = {}): Promise<ContractService> {
  const recordings = await writeRecordings(options);
  const shared = await sharedStore();
  const { copilot_providers, environment_models } = options;
  const source_access = { ...shared.source_access, roots: [recordings] };
  const store = {
    ...shared,
    source_access,
    ...(copilot_providers === undefined ? {} : { copilot_providers }),
    ...(environment_models === undefined ? {} : { environment_models }),
  };
  const name = `test-${randomBytes(6).toString('hex')}`;
  return serve(store, recordings, [`${name}-one`, `${name}-two`]);
}

async function writeRecordings({ write = writeTinyRecordings }: ContractServiceOptions): Promise<string> {
  const recordings = mkdtempSync(join(tmpdir(), 'assay-test-contract-'));
  await write(recordings);
  return recordings;
}

/** Listens on a port until closed; the store stays open. */
async function serve(
  store: TestStore,
  recordings: string,
  names: readonly [string, string],
): Promise<ContractService> {
  const faults: string[] = [];
  const server = await createServer({
    store,
    operations,
    handlers,
    authenticate: (token) => findActor(store, token, new Date()),
    log: pino({ level: 'error' }, { write: (line: string) => void faults.push(line) }),
    limits: { token_per_minute: 1e6, address_per_minute: 1e6 },
    mounts: [
      mcpMount({
        store,
        version: 'test',
        behind_proxy: false,
        onFault: (thrown) => faults.push(String(thrown)),
      }),
    ],
  });
  const now = new Date();
  const tenants = [await makeTenant(store, names[0], now), await makeTenant(store, names[1], now)] as const;
  const old = await badTokens(store, tenants[0], now);
  return {
    address: await server.listen({ host: '127.0.0.1', port: 0 }),
    store,
    tenants,
    ...old,
    recordings,
    faults,
    close: async () => {
      await server.close();
      rmSync(recordings, { recursive: true, force: true });
    },
  };
}

async function openStore(
  root: string,
  { copilot_providers }: ContractServiceOptions,
): Promise<{ store: TestStore; blobs: BlobsOptions }> {
  let blobs: BlobsOptions = { kind: 'folder', folder: '' };
  const store = await openTestStore({
    blobs: (folder) => {
      blobs = { kind: 'folder', folder: join(folder, 'blobs') };
      return openBlobs(blobs);
    },
    queue: (database) => openQueue(database, { worker: 'contract' }),
    source_access: { roots: [root] },
    notifications: { public_url: null, mail: unreachableMailServer },
    ...(copilot_providers === undefined ? {} : { copilot_providers }),
  });
  return { store, blobs };
}

/** Accepts subscriptions; what is sent there waits to be sent again. */
const unreachableMailServer = {
  host: '127.0.0.1',
  port: 9,
  tls: 'none',
  login: null,
  from: 'assay@example.org',
} as const;

async function makeTenant(store: TestStore, name: string, now: Date): Promise<TestTenant> {
  const { id } = await createTenant(store, { name, by: 'test', now });
  const call = systemCall(id, 'test', now);
  const tokens: Partial<Record<Role, string>> = {};
  for (const role of roles) tokens[role] = (await createToken(store, call, { name: role, role })).token;
  return { id, name, tokens: tokens as Record<Role, string> };
}

async function badTokens(
  store: TestStore,
  tenant: TestTenant,
  now: Date,
): Promise<{ expired: string; revoked: string }> {
  const call = systemCall(tenant.id, 'test', now);
  const long = systemCall(tenant.id, 'test', new Date(now.getTime() - 3600_000));
  const expired = await createToken(store, long, { name: 'old', role: 'admin', expires_in_s: 60 });
  const revoked = await createToken(store, call, { name: 'gone', role: 'admin' });
  await revokeToken(store, call, revoked.id);
  return { expired: expired.token, revoked: revoked.token };
}
