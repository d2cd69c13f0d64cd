import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AssayClient, createClient, type Role } from '@assay/client';
import axe from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';
import { writeTeleopLeRobot } from '#samples';
import { openBrowser } from '../report-browser.ts';
import { startServiceProcess } from '../support/service-process.ts';

/** A service with its web application, as `assay serve` starts it. */
export interface WebService {
  readonly address: string;
  readonly client: AssayClient;
  /** A page of a browser that is signed in with a role. */
  signedIn(context: BrowserContext, role: Role): Promise<Page>;
  stop(): Promise<void>;
}

/** `env` is added to the service's environment. */
export async function startWebService(
  env: Readonly<Record<string, string>> = {},
): Promise<WebService & { readonly recordings: string }> {
  const scratch = mkdtempSync(join(tmpdir(), 'assay-test-web-'));
  const recordings = join(scratch, 'recordings');
  const service = await startServiceProcess({ data: join(scratch, 'data'), roots: [recordings], env });
  const { address, token } = service;
  const client = createClient({ address, token });
  return {
    address,
    client,
    recordings,
    signedIn: async (context, role) => {
      const own = await client.tenant.createToken({ name: `a ${role}`, role });
      const link = await createClient({ address, token: own.token }).tenant.createSignInLink();
      const page = await context.newPage();
      await page.goto(`${address}/#sign-in=${link.token}`);
      await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
      return page;
    },
    stop: async () => {
      await service.stop();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

/** Ten demonstrations in a project, of which some wait for review and one is rejected. */
export async function assessSome({ client, recordings }: Awaited<ReturnType<typeof startWebService>>) {
  await writeTeleopLeRobot(join(recordings, 'teleop'), 7, () => {}, {
    episodes: 10,
    plan: {
      1: ['jump', 'medium'],
      3: ['lag', 'medium'],
      5: ['jump', 'medium'],
      7: ['black_video', 'medium'],
    },
  });
  const workspace = await client.workspaces.create({ name: 'lab', use_case: 'data-assessment' });
  const made = { workspace_id: workspace.id, name: 'arms', target_profile: 'behaviour-cloning' } as const;
  const { id: project_id } = await client.projects.create(made);
  const source = await client.sources.create({ project_id, kind: 'folder', path: recordings });
  const run = await client.runs.start({ project_id, source_id: source.id });
  for await (const { event, data } of client.runs.stream({ run_id: run.id }))
    if (event === 'run' && data.status === 'succeeded') break;
  return { project_id, run_id: run.id };
}

/** What axe finds serious on a page as it is, and by how much the page is wider than its window. */
export async function faultsOf(page: Page): Promise<{ readonly axe: unknown; readonly overflow_px: number }> {
  // Not as a script of the page, which allows none.
  await page.evaluate(axe.source);
  return page.evaluate(`axe.run().then(({ violations }) => ({
    axe: violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => [id, nodes[0].html]),
    overflow_px: Math.max(0, document.documentElement.scrollWidth - innerWidth),
  }))`);
}

/** Pages of browsers that are signed in; each is of a browser of its own, and all are closed in the end. */
export function pagesOf(service: () => WebService) {
  const contexts: BrowserContext[] = [];
  return {
    opened: async (role: Role, look: { dark?: boolean; width?: number } = {}): Promise<Page> => {
      const context = await openBrowser(look);
      contexts.push(context);
      return service().signedIn(context, role);
    },
    close: () => Promise.all(contexts.map((context) => context.close())),
  };
}

/** The two looks that every screen is held against. */
export const looks = [
  ['light and wide', { dark: false, width: 1440 }],
  ['dark and narrow', { dark: true, width: 390 }],
] as const;

/** A busy machine answers late. */
export const wait = { timeout: 60_000 };
