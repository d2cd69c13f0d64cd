import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { migrate, openEmbedded, openQueue } from '#store';

/** Puts a migrated, empty embedded database into `folder`: a copy, since making one takes seconds. */
export async function copyEmptyDatabase(folder: string): Promise<void> {
  const templates = process.env.ASSAY_TEST_RUN_FOLDER;
  if (templates === undefined) return;
  const template = join(templates, 'made');
  if (!existsSync(template)) await makeTemplate(templates, template);
  cpSync(join(template, 'database'), join(folder, 'database'), { recursive: true });
}

async function makeTemplate(templates: string, template: string): Promise<void> {
  const own = mkdtempSync(join(templates, 'half-'));
  const database = await openEmbedded(own);
  await migrate(database);
  const queue = await openQueue(database, { worker: 'template' });
  await queue.stop(0);
  await database.close();
  try {
    renameSync(own, template);
  } catch {
    // Another test file was faster; its template is as good.
    rmSync(own, { recursive: true });
  }
}
