import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AssayError } from '#core';
import { requireWritable } from './output-folder.ts';
import { assessInto } from './write-output.ts';

describe('the folder of --out', () => {
  let folder = '';
  let recordings = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'assay-out-'));
    recordings = mkdtempSync(join(tmpdir(), 'assay-rec-'));
    writeFileSync(join(recordings, 'a.txt'), 'no recording');
  });
  afterAll(() => {
    for (const each of [folder, recordings]) rmSync(each, { recursive: true, force: true });
  });
  const refused = async (out: string): Promise<AssayError> => {
    const thrown = await assessInto(out, recordings).then(
      () => null,
      (error: unknown) => error,
    );
    expect(thrown).toBeInstanceOf(AssayError);
    return thrown as AssayError;
  };

  it('is refused as usage where it is a file, lies below one, or is a pipe, before anything is read', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, 'mine');
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    for (const out of [file, join(file, 'x'), pipe]) {
      const error = await refused(out);
      expect([error.code, error.exitCode, error.message]).toEqual([
        'usage',
        2,
        `${out} is a file, or inside a path that is a file`,
      ]);
      expect(error.advice).toMatch(/choose a new or empty folder/);
    }
  });

  it.skipIf(!existsSync('/proc/self'))('is refused where nothing can be made, and never waits', async () => {
    const { prepareOutputFolder } = await import('./output-folder.ts');
    expect(() => prepareOutputFolder('/proc/assay/out', recordings)).toThrow(
      expect.objectContaining({ code: 'usage' }),
    );
    expect(() => requireWritable('/proc/assay')).toThrow('/proc/assay cannot be created');
    const circle = join(folder, 'circle');
    symlinkSync(circle, circle);
    expect((await refused(circle)).code).toBe('usage');
  });

  it('is left alone where it holds something else', async () => {
    const full = mkdtempSync(join(folder, 'full-'));
    writeFileSync(join(full, 'thesis.tex'), '');
    expect((await refused(full)).message).toContain('is not empty');
    expect(readdirSync(full)).toEqual(['thesis.tex']);
  });
});
