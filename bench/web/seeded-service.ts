import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { createClient } from '#client';
import { sha256 } from '#core';
import { type Database, migrate, openBlobs, openEmbedded, refreshStatistics } from '#store';
import { openBrowser } from '#test/report-browser';
import { startServiceProcess } from '#test/support/service-process';
import { seedEpisodes, seededId, seededOwner } from '../service/seed-episodes.ts';
import { seedReceipts } from '../service/seed-receipts.ts';

/** `assay serve` over a project of as many made-up episodes as told. */
export interface SeededService {
  readonly address: string;
  /** Address of the project's overview; its other screens are below it. */
  readonly project: string;
  /** A page of a browser of its own in which an engineer is signed in. */
  openPage(): Promise<Page>;
  stop(): Promise<void>;
}

const token = `asy_${'bench'.padEnd(43, '0')}`;

export async function startSeededService(scratch: string, episodes: number): Promise<SeededService> {
  const data = mkdtempSync(join(scratch, 'web-'));
  const database = await openEmbedded(data);
  const blobs = openBlobs({ kind: 'folder', folder: join(data, 'blobs') });
  try {
    await migrate(database);
    await seedEpisodes(database, episodes);
    await seedReceipts(database, blobs);
    await seedToken(database);
    await refreshStatistics(database);
  } finally {
    blobs.close();
    await database.close();
  }
  const env = { ASSAY_BOOTSTRAP_TOKEN: token };
  const { address, stop } = await startServiceProcess({ data, env });
  return {
    address,
    project: `${address}/projects/${seededOwner.project_id}`,
    openPage: async () => {
      const context = await openBrowser();
      const link = await createClient({ address, token }).tenant.createSignInLink();
      const page = await context.newPage();
      await page.goto(`${address}/#sign-in=${link.token}`);
      await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
      return page;
    },
    stop: async () => {
      await stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** Makes the tenant of the seeded episodes the one that the service starts with. */
async function seedToken(database: Database): Promise<void> {
  await database.query(`INSERT INTO tenants (id, name, created_at) VALUES ($1, 'default', now())`, [
    seededOwner.tenant_id,
  ]);
  await database.query(
    `INSERT INTO tokens (tenant_id, id, name, role, sha256, created_at, created_by)
     VALUES ($1, $2, 'bench', 'admin', $3, now(), 'bench')`,
    [seededOwner.tenant_id, seededId('tok', 0), sha256(token)],
  );
}
