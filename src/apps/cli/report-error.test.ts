import { expect, it } from 'vitest';
import { AssayError } from '#core';
import type { Io } from './io.ts';
import { reportError } from './report-error.ts';

async function said(error: AssayError): Promise<string> {
  const notes: string[] = [];
  const io = { note: (text: string) => notes.push(text) } as unknown as Io;
  await reportError(error, io, false);
  return notes[0].trimEnd();
}

it('a fault is said once: its title stays away where the message has all of it', async () => {
  const message = 'the data folder /srv/assay is in use by process 7';
  expect(await said(new AssayError('folder_locked', message))).toBe(`assay: ${message}`);
  const again = 'this source location is not allowed';
  expect(await said(new AssayError('source_not_allowed', again))).toBe(`assay: ${again}`);
});

it('a path is said once, and whole', async () => {
  const path = 'runs/a.mcap';
  expect(await said(new AssayError('not_permitted', 'a.mcap may not be read', { path }))).toBe(
    'assay: Permission denied: runs/a.mcap may not be read',
  );
  expect(await said(new AssayError('usage', 'is a file', { path }))).toContain('runs/a.mcap: is a file');
});

it('a title says what kind of fault it is where the message does not', async () => {
  expect(await said(new AssayError('usage', 'out is a file', { path: 'out' }))).toBe(
    'assay: Invalid arguments: out is a file',
  );
});
