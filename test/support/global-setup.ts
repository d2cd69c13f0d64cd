import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { libraries, startPython } from '../interop/python-worker.ts';
import { assessTenDemonstrations, shareDemonstrations } from './shared-demonstrations.ts';
import { startTemplateServer } from './shared-postgres.ts';
import { offerResources } from './shared-resources.ts';
import { startSharedService } from './shared-service.ts';

/** Vitest's global setup: a folder and servers that all test files of a run share, each started when first asked for. */
export function setup(): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-test-template-'));
  // Some tests run the program as another user.
  chmodSync(folder, 0o755);
  process.env.ASSAY_TEST_RUN_FOLDER = folder;
  // Tests never write to a developer's own database.
  delete process.env.ASSAY_DATABASE_URL;
  // Images of containers often forbid Python to save bytecode: every process that imports LeRobot would compile it again.
  delete process.env.PYTHONDONTWRITEBYTECODE;
  const stop = offerResources(folder, {
    postgres: startTemplateServer,
    service: () => startSharedService(folder),
    'demonstrations-4': () => shareDemonstrations(4),
    'demonstrations-10': () => shareDemonstrations(10),
    'assessed-demonstrations': assessTenDemonstrations,
    ...Object.fromEntries(libraries.map((name) => [`python-${name}`, () => startPython(name, folder)])),
  });
  return async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
