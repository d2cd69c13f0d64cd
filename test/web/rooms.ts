import { join } from 'node:path';
import type { Role } from '@assay/client';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { assessSome, faultsOf, looks, pagesOf, startWebService, wait } from './web-service.ts';

/** A service with ten episodes in a project, and pages of it in all roles. */
export interface Room {
  readonly service: Awaited<ReturnType<typeof startWebService>>;
  readonly project_id: string;
  readonly run_id: string;
  /** A page of the project, signed in with a role. */
  open(role: Role, path: string, look?: { dark?: boolean; width?: number }): Promise<Page>;
  close(): Promise<void>;
}

export async function openRoom(env: Readonly<Record<string, string>> = {}): Promise<Room> {
  const service = await startWebService(env);
  const pages = pagesOf(() => service);
  const made = await assessSome(service);
  return {
    service,
    ...made,
    open: async (role, path, look) => {
      const page = await pages.opened(role, look);
      page.setDefaultTimeout(wait.timeout);
      await page.goto(`${service.address}/projects/${made.project_id}${path}`);
      return page;
    },
    close: async () => {
      await pages.close();
      await service.stop();
    },
  };
}

/** Lets the project export: the use case of an assessment alone has no formats. */
export async function allowExports({ service: { client }, project_id }: Room): Promise<void> {
  const { workspace_id } = await client.projects.get({ project_id });
  await client.workspaces.setUseCase({ workspace_id, use_case: 'robotic-manipulation' });
}

/** Shows a page in both looks once `shown` is there, and finds nothing serious on it and nothing that overflows. */
export async function expectSound(
  room: Room,
  role: Role,
  path: string,
  shown: (page: Page) => Promise<void>,
): Promise<void> {
  for (const [name, look] of looks) {
    const page = await room.open(role, path, look);
    await shown(page);
    const folder = process.env.ASSAY_TEST_SHOTS;
    const file = `${[path, name]
      .join(' ')
      .replaceAll(/[^a-z]+/g, '-')
      .slice(0, 80)}.png`;
    if (folder !== undefined) await page.screenshot({ path: join(folder, file), fullPage: true });
    expect([path, name, await faultsOf(page)]).toEqual([path, name, { axe: [], overflow_px: 0 }]);
    await page.context().close();
  }
}
