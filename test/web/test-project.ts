import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import type { Role } from '#client';
import { openBrowser } from '../report-browser.ts';
import { assessFolder } from '../support/shared-demonstrations.ts';
import { sharedResource } from '../support/shared-resources.ts';
import { joinDemonstrations, joinWebService, type WebService } from './web-service.ts';

/** Pages of a service, each in a browser context of its own. */
export interface Pages {
  /** Opens a path of the service, signed in as a new person of a role. */
  open(role: Role, path?: string, width?: number): Promise<Page>;
  /** Closes all pages. */
  close(): Promise<void>;
}

export function pagesOf(service: WebService): Pages {
  const contexts: BrowserContext[] = [];
  return {
    open: async (role, path, width) => {
      const context = await openBrowser({ width });
      contexts.push(context);
      return service.signedIn(context, role, path);
    },
    close: async () => void (await Promise.all(contexts.map((context) => context.close()))),
  };
}

/** An assessed project and pages below its address. */
export interface TestProject extends Pages {
  readonly service: WebService;
  readonly project_id: string;
  readonly run_id: string;
  /** Path of the project's overview. */
  readonly below: string;
}

/** The project of ten demonstrations that all test files share: only to be read. */
export async function openSharedProject(): Promise<TestProject> {
  const { project_id, run_id, ...service } = await joinDemonstrations();
  return projectOf(service, { project_id, run_id });
}

/** A project of four or ten demonstrations in a tenant of its own, for tests that change something. */
export async function openOwnProject(count: 4 | 10 = 4): Promise<TestProject> {
  const service = await joinWebService();
  const { folder } = await sharedResource(`demonstrations-${count}`);
  return projectOf(service, await assessFolder(service.client, folder));
}

function projectOf(
  service: WebService,
  ids: { readonly project_id: string; readonly run_id: string },
): TestProject {
  const below = `/projects/${ids.project_id}`;
  const { open, close } = pagesOf(service);
  return { service, ...ids, below, close, open: (role, path = '', width) => open(role, below + path, width) };
}

/** Lets the project export: the use case of an assessment alone has no formats. */
export async function allowExports({ service: { client }, project_id }: TestProject): Promise<void> {
  const { workspace_id } = await client.projects.get({ project_id });
  await client.workspaces.setUseCase({ workspace_id, use_case: 'robotic-manipulation' });
}

/** Writes a screenshot of the whole page where ASSAY_TEST_SHOTS names a folder. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env.ASSAY_TEST_SHOTS;
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
