import type { Episode } from '#core/episode';
import { temporaryFolder } from './lerobot-set.ts';
import { type ReadSet, readEverything } from './read-dataset.ts';
import {
  example,
  type FeatureInput,
  featuresJson,
  flags,
  node,
  type RldsFiles,
  writeRlds,
} from './tfrecord.ts';

/** Steps of the episodes below. */
export const steps = 4;
export const action = { 'steps/action': { floats: [1, 2, 3, 4, 5, 6, 7, 8] } };
export const actionNode = { action: node.tensor([2]) };

/** A record: an episode that ends as RLDS says. */
export const episode = (more: Record<string, FeatureInput> = action): Uint8Array =>
  example({ ...flags(steps), ...more });

/** Creates bytes that start like a PNG, with unique content of a given size. */
export const png = (size: number): Buffer =>
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...new Array(size).fill(size)]);

/** Writes a set, of one episode where nothing else is said, and reads it. */
export async function readRlds(files: Partial<RldsFiles>): Promise<ReadSet> {
  const folder = await temporaryFolder();
  await writeRlds(folder, { shards: [[episode()]], features: featuresJson(actionNode), ...files });
  const { sets } = await readEverything(folder);
  if (sets.length !== 1) throw new Error(`${sets.length} sets`);
  return sets[0];
}

export const firstEpisode = async (files: Partial<RldsFiles>): Promise<Episode> =>
  (await readRlds(files)).episodes[0];

export const streamOf = ({ streams }: Episode, id: string) =>
  streams.find((candidate) => candidate.id === id)!;

export const codesOf = (found: { readonly findings: readonly { readonly code: string }[] }): string[] =>
  found.findings.map(({ code }) => code);
