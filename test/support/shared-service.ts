import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '#client';
import { type ServiceRequests, serviceRequests, startServiceProcess } from './service-process.ts';
import { type SharedResource, sharedResource } from './shared-resources.ts';

/** In Vitest's main process: one `assay serve` for all test files that neither start, stop nor configure it. */
export async function startSharedService(folder: string): Promise<SharedResource> {
  const recordings = join(folder, 'recordings');
  mkdirSync(recordings);
  const service = await startServiceProcess({
    data: join(folder, 'service'),
    roots: [recordings],
    env: { ASSAY_WORKERS: '2', ASSAY_RATE_LIMIT: '1000000' },
  });
  const { address, token } = service;
  return {
    facts: { address, token, recordings },
    stop: async () => void (await service.stop()),
  };
}

/** A tenant of the shared service, isolated from other test files. */
export interface SharedService extends ServiceRequests {
  readonly address: string;
  /** Admin token of the tenant. */
  readonly token: string;
  /** A new, empty folder from which the service may read recordings. */
  readonly recordings: string;
}

/** A new tenant on the service that all test files share, for tests that do not start, stop or configure one. */
export async function joinSharedService(): Promise<SharedService> {
  const { address, token, recordings } = await sharedResource('service');
  const name = `test-${randomBytes(6).toString('hex')}`;
  const operator = createClient({ address, token });
  const made = await operator.tenant.create({ name, token: { name: 'admin', role: 'admin' } });
  return {
    address,
    token: made.token.token,
    recordings: mkdtempSync(join(recordings, 'set-')),
    ...serviceRequests(address, made.token.token),
  };
}
