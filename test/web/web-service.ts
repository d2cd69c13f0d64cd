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
  /** SIGKILL: what it was doing is cut. */
  kill(): Promise<void>;
  /** Starts again what was killed, at the same address. */
  startAgain(): Promise<void>;
  stop(): Promise<void>;
}

/** `env` is added to the service's environment. */
export async function startWebService(
  env: Readonly<Record<string, string>> = {},
): Promise<WebService & { readonly recordings: string }> {
  const scratch = mkdtempSync(join(tmpdir(), 'assay-test-web-'));
  const recordings = join(scratch, 'recordings');
  const options = { data: join(scratch, 'data'), roots: [recordings], env };
  let service = await startServiceProcess(options);
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

/** Demonstrations in a project: three, of which two wait for review. */
export const few: TeleopOptions = { episodes: 3, plan: { 1: ['jump', 'medium'], 2: ['lag', 'medium'] } };
/** Ten, of which some wait for review and one is rejected. */
const some: TeleopOptions = {
  episodes: 10,
  plan: {
    1: ['jump', 'medium'],
    3: ['lag', 'medium'],
    5: ['jump', 'medium'],
    7: ['black_video', 'medium'],
  },
};
type TeleopOptions = NonNullable<Parameters<typeof writeTeleopLeRobot>[3]>;

/** Writes demonstrations and runs them through the service. */
export async function assessSome(
  { client, recordings }: Awaited<ReturnType<typeof startWebService>>,
  which: TeleopOptions = some,
) {
  await writeTeleopLeRobot(join(recordings, 'teleop'), 7, () => {}, which);
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
