import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AssayError } from '#core';
import { type AssessmentResult, assess } from '#engine/local';
import { readAll } from './fuzz/read-all.ts';
import { alive, descendantsOf } from './support/descendants.ts';

const data = resolve('../shared/data');

/** Every file below is read alone, and each folder assessed as a whole. */
const corpora = [
  'malformed/parquet-testing',
  'malformed/hyparquet',
  'images/bad-pillow',
  'images/bad-image-rs',
  'lerobot-malformed-omx',
  'mcap/rosbag-analyzer-web',
  'mcap/foxglove-sdk',
  'mcap/rosbag2',
  'rosbag/rosbag',
  'rosbag/rosbag-rs',
  'hdf5/h5py',
  'hdf5/h5wasm',
  'video/decord',
];

let temporary: string;
let usual: string | undefined;
beforeAll(() => {
  temporary = mkdtempSync(join(tmpdir(), 'assay-corpora-'));
  usual = process.env.TMPDIR;
  process.env.TMPDIR = temporary;
});
afterAll(() => {
  if (usual === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = usual;
  rmSync(temporary, { recursive: true });
});

function filesBelow(folder: string): string[] {
  return (readdirSync(folder, { recursive: true }) as string[])
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile() && statSync(path).size < 4e6)
    .sort();
}

type End = 'episodes' | 'findings' | 'error';

/** Assesses a folder, with image decoding and receipts, and returns the outcome. */
async function endOfFolder(path: string): Promise<End> {
  let result: AssessmentResult;
  try {
    result = await assess(path, { workers: 2, receipts: true });
  } catch (thrown) {
    expect(thrown).toMatchObject({ path: expect.any(String), advice: expect.any(String) });
    expect((thrown as AssayError).code, String(thrown)).not.toBe('internal');
    return 'error';
  }
  const { verdicts, findings, datasets } = result;
  await result.close();
  for (const { code, message, advice } of [...findings, ...datasets.flatMap((one) => one.findings)]) {
    expect(code, message).not.toMatch(/internal|worker_lost|not_measured/);
    expect(advice, message).not.toBe('');
  }
  return verdicts.length > 0 ? 'episodes' : 'findings';
}

/** Reads a single file and returns the outcome. Fails if there is no outcome, or an error that names no file. */
async function endOfFile(path: string): Promise<End> {
  const { episodes, findings, errors, faults } = await readAll(path);
  expect(faults, path).toEqual([]);
  expect(episodes + findings.length + errors.length, path).toBeGreaterThan(0);
  return episodes > 0 ? 'episodes' : errors.length > 0 ? 'error' : 'findings';
}

describe.skipIf(!existsSync(data)).each(corpora)('%s (needs ../shared/data)', (corpus) => {
  it('ends for every file in an episode, a finding or an error that names file and reason', async () => {
    const files = filesBelow(join(data, corpus));
    expect(files.length).toBeGreaterThan(0);
    for (const path of files) await endOfFile(path);
  }, 300_000);

  it('is assessed as a whole', async () => {
    await endOfFolder(join(data, corpus));
  }, 300_000);

  it('leaves no process and no temporary file', async () => {
    expect(readdirSync(temporary)).toEqual([]);
    // Decoders without work end after five seconds.
    await expect.poll(() => alive(descendantsOf(process.pid)), { timeout: 30_000 }).toEqual([]);
  });
});
