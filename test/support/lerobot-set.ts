import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Episode, Finding } from '#core/episode';
import { type Dataset, discover } from '#formats';
import { type SetShape, writeSetInto } from './write-lerobot.ts';

export type { SetShape } from './write-lerobot.ts';

/** A new, empty folder, which is removed when the run of the tests ends. */
export function temporaryFolder(): Promise<string> {
  return mkdtemp(join(process.env.ASSAY_TEST_RUN_FOLDER ?? tmpdir(), 'set-'));
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
