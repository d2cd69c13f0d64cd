import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockFolder } from './folder-lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-test-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What another process is told when it tries to take the folder. */
function tryFromAnotherProcess(): string {
  const script = `import(${JSON.stringify(new URL('./folder-lock.ts', import.meta.url).href)})
    .then(({ lockFolder }) => lockFolder(${JSON.stringify(folder)}))
    .then(() => process.stdout.write('taken'), (error) => process.stdout.write(error.code + ': ' + error.message));`;
  return execFileSync(process.execPath, ['-e', script], { encoding: 'utf8', cwd: import.meta.dirname });
}

test('a second process is refused and told who has the folder', () => {
  const lock = lockFolder(folder);
  expect(tryFromAnotherProcess()).toContain(
    `folder_locked: the data folder ${folder} is in use by process ${process.pid}`,
  );
  lock.release();
});

test('a folder that was let go can be taken', () => {
  lockFolder(folder).release();
  expect(tryFromAnotherProcess()).toBe('taken');
});

test('a place that can be no folder is refused, not waited for', () => {
  lockFolder(folder).release();
  const file = join(folder, 'lock-holder');
  for (const place of [file, join(file, 'below'), '/proc/assay'])
    expect(() => lockFolder(place)).toThrow(/cannot use .* as the data folder/);
});

test('the same process cannot take it twice', () => {
  const lock = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow(/in use by process/);
  lock.release();
});
