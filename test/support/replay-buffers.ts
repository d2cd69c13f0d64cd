import { join } from 'node:path';
import type { Episode, Finding } from '#core/episode';
import { temporaryFolder } from './lerobot-set.ts';
import { type ReadSet, readEverything } from './read-dataset.ts';
import { type ArrayInput, type Files, replayFiles, writeFiles } from './zarr-files.ts';

/** Rows of the arrays below. */
export const T = 10;
export const state: ArrayInput = { shape: [T, 3], chunks: [4, 3] };
export const action: ArrayInput = { shape: [T, 2], chunks: [4, 2] };

export async function readFiles(files: Files): Promise<ReadSet> {
  const folder = await temporaryFolder();
  await writeFiles(join(folder, 'replay.zarr'), files);
  const { sets } = await readEverything(folder);
  if (sets.length !== 1) throw new Error(`${sets.length} sets`);
  return sets[0];
}

/** Writes a buffer, of two arrays and two episodes where nothing else is said, and reads it. */
export const readBuffer = (
  arrays: Readonly<Record<string, ArrayInput>> = { state, action },
  ends: readonly number[] = [4, T],
): Promise<ReadSet> => readFiles(replayFiles(arrays, ends));

export const streamOf = ({ streams }: Episode, id: string) =>
  streams.find((candidate) => candidate.id === id)!;

export const codesOf = (found: { readonly findings: readonly Finding[] }): string[] =>
  found.findings.map(({ code }) => code);

export const findingOf = (found: { readonly findings: readonly Finding[] }, code: string) =>
  found.findings.find((candidate) => candidate.code === code);

export const numbersOf = (episode: Episode, id: string): number[] => [
  ...streamOf(episode, id).series!.values,
];

/** Whole numbers [from, to). */
export const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, i) => from + i);
