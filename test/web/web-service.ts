import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { type AssayClient, createClient, type Role } from '#client';
import { startServiceProcess } from '../support/service-process.ts';
import { sharedResource } from '../support/shared-resources.ts';
import { joinSharedService } from '../support/shared-service.ts';

/** A tenant of a service with its web application. */
export interface WebService {
  readonly address: string;
  /** Has the role admin. */
  readonly client: AssayClient;
  /** A folder from which the service may read recordings. */
  readonly recordings: string;
  /** Opens `path` as a new person of a role, who is signed in without the sign-in screen. */
  signedIn(context: BrowserContext, role: Role, path?: string): Promise<Page>;
}

/** A service in a process of its own. */
export interface OwnWebService extends WebService {
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it at the same address after `kill`. */
  startAgain(): Promise<void>;
  stop(): Promise<void>;
}

/** A new tenant of the service that all test files share. */
export async function joinWebService(): Promise<WebService> {
  const { address, token, recordings } = await joinSharedService();
  return tenantAt(address, token, recordings);
}

/** The tenant of the shared service whose project of ten assessed demonstrations all test files only read. */
export async function joinDemonstrations(): Promise<
  WebService & { readonly project_id: string; readonly run_id: string }
> {
  const { address } = await sharedResource('service');
  const { folder } = await sharedResource('demonstrations-10');
  const { token, project_id, run_id } = await sharedResource('assessed-demonstrations');
  return { ...tenantAt(address, token, folder), project_id, run_id };
}

/** Starts a service for tests that configure or kill it; `env` is added to its environment. */
export async function startWebService(env: Readonly<Record<string, string>> = {}): Promise<OwnWebService> {
  const scratch = mkdtempSync(join(tmpdir(), 'assay-test-web-'));
  const recordings = join(scratch, 'recordings');
  const options = { data: join(scratch, 'data'), roots: [recordings], env };
  let service = await startServiceProcess(options);
  const { address, token } = service;
  return {
    ...tenantAt(address, token, recordings),
    kill: () => service.kill(),
    startAgain: async () => {
      service = await startServiceProcess({ ...options, args: ['--port', new URL(address).port] });
    },
    stop: async () => {
      await service.stop();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

function tenantAt(address: string, token: string, recordings: string): WebService {
  const client = createClient({ address, token });
  return {
    address,
    client,
    recordings,
    signedIn: async (context, role, path = '/') => {
      const own = await client.tenant.createToken({ name: `a ${role}`, role });
      // Its answer sets the cookie of the context.
      const session = await context.request.post(`${address}/v1/session`, { data: { token: own.token } });
      if (!session.ok())
        throw new Error(`signing in as ${role}: ${session.status()} ${await session.text()}`);
      const page = await context.newPage();
      page.setDefaultTimeout(wait.timeout);
      await page.goto(address + path);
      return page;
    },
  };
}

/** Time limit of a step on a page, generous because a busy machine answers late. */
export const wait = { timeout: 60_000 };
