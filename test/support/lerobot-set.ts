import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Episode, Finding } from '#episode';
import { type Dataset, discover } from '#formats';
import { type SetShape, writeSetInto } from './write-lerobot.ts';

export type { SetShape } from './write-lerobot.ts';

const folders: string[] = [];
// A worker of the test runner is ended, not left, so that its own end would be too late.
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is gone when the tests of the file are done. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-test-'));
  folders.push(folder);
  return folder;
}

/** Writes the set to a folder of its own and answers its path. */
export async function writeSet(shape: SetShape = {}): Promise<string> {
  const folder = await temporaryFolder();
  await writeSetInto(folder, shape);
  return folder;
}

export interface ReadSet {
  readonly dataset: Dataset;
  /** Codes of the dataset's findings. */
  readonly codes: readonly string[];
  readonly episodes: readonly Episode[];
  readonly unreadable: readonly { readonly index: number; readonly finding: Finding }[];
  finding(code: string): Finding | undefined;
}

/** Opens the only dataset of a folder and reads all of it. */
export async function readSet(folder: string): Promise<ReadSet> {
  const { datasets } = await discover(folder);
  if (datasets.length !== 1) throw new Error(`${datasets.length} datasets`);
  const { dataset } = datasets[0];
  const episodes: Episode[] = [];
  const unreadable: { index: number; finding: Finding }[] = [];
  for (const unit of dataset.units) {
    for await (const read of dataset.read(unit, {})) {
      if ('unreadable' in read) unreadable.push(read);
      else episodes.push(read);
    }
  }
  return {
    dataset,
    codes: dataset.findings.map((finding) => finding.code),
    episodes,
    unreadable,
    finding: (code) => dataset.findings.find((finding) => finding.code === code),
  };
}
