import type { Finding, KeptPicture, SourceRef } from '#episode';
import { AssayError, messageOf } from '#kernel';
import { createFileHasher, type FileHasher, hashScope, type SourceTree, sourceRefs } from '#sources';
import { tfdsBreach } from '../../contracts/tfds/contract.ts';
import type { Dataset, PictureWanted, ReadOptions, Recognition, WorkUnit } from '../../reader.ts';
import type { SetFacts } from './assemble.ts';
import { layoutOf, payloadOf } from './cameras.ts';
import { type DatasetInfo, featuresName, infoName, readDatasetInfo } from './dataset-info.ts';
import { type Leaf, readFeatureTree } from './feature-tree.ts';
import { knownDataset } from './known-datasets.ts';
import { type Plan, planShards, type RldsSelector } from './plan.ts';
import { decodeExample } from './records/example.ts';
import { frameAt, headerBytes } from './records/framing.ts';
import { readShard } from './records/read-shard.ts';
import { openRecordSource } from './records/record-source.ts';
import { setFindings } from './set-findings.ts';
import { leavesOf } from './structure.ts';

/** Looks at the set's own files and at the lengths of its records; what is in them is read unit by unit. */
export async function openRlds(tree: SourceTree, recognition: Recognition): Promise<Dataset> {
  const unread: Finding[] = [];
  const info = await readDatasetInfo(tree).catch(noting(infoName, unread));
  if (info !== null && info.file_format !== 'tfrecord') throw otherFormat(info);
  const leaves = await readFeatureTree(tree).catch(noting(featuresName, unread));
  if (leaves !== null && !leaves.some(({ per_step }) => per_step)) throw withoutSteps();
  const plan = await planShards(tree, info);
  if (plan.units.length === 0) throw withoutRecords(plan);
  const known = info === null ? null : knownDataset(info.name);
  const facts: SetFacts = { leaves, known };
  const hasher = createFileHasher(tree);
  const declared = (info?.splits ?? []).flatMap(({ shard_lengths }) => shard_lengths);
  return {
    facts: {
      format: 'rlds',
      version: info?.version ?? null,
      declared_episodes: info === null ? null : declared.reduce((sum, length) => sum + length, 0),
      declared_frames: null,
      declared_rate_hz: null,
      robot: known?.robot ?? null,
      declared_cameras: (leaves ?? [])
        .filter(({ kind, per_step }) => kind === 'image' && per_step)
        .map(({ id }) => id),
    },
    recognition,
    findings: [...unread, ...setFindings(info, leaves, known, plan, tree.has(featuresName))].filter(notTwice),
    units: plan.units,
    async *read(unit, options) {
      const { selector } = unit;
      if (!isSelector(selector)) throw new AssayError('internal', `${unit.id} is no unit of TFRecord shards`);
      const sources = await sourcesOf(tree, hasher, selector.path, options);
      yield* readShard(tree, unit, selector, facts, sources, options);
    },
    picturesAt: (wanted) => picturesAt(tree, plan.units, leaves, wanted),
    close: async () => {},
  };
}

/** A damaged file of metadata is said, and the records speak for themselves. */
function noting(path: string, into: Finding[]): (thrown: unknown) => null {
  return (thrown) => {
    if (!(thrown instanceof AssayError) || thrown.code !== 'unreadable_input') throw thrown;
    into.push(tfdsBreach('metadata_unreadable', path, messageOf(thrown)));
    return null;
  };
}

/** A file that is no JSON is not said to be missing as well. */
function notTwice({ code, path }: Finding, _: number, all: readonly Finding[]): boolean {
  return !(
    code.endsWith('_missing') && all.some((one) => one.code === 'metadata_unreadable' && one.path === path)
  );
}

function isSelector(value: unknown): value is RldsSelector {
  return typeof value === 'object' && value !== null && 'from_byte' in value;
}

function sourcesOf(
  tree: SourceTree,
  hasher: FileHasher,
  shard: string,
  options: ReadOptions,
): Promise<SourceRef[]> {
  const files = [shard, infoName, featuresName]
    .filter((path) => tree.has(path))
    .map((path) => ({ path, role: path === shard ? ('data' as const) : ('metadata' as const) }));
  return sourceRefs(tree, files, hasher, hashScope(options));
}

/** Steps from length to length to the record of an episode, and takes one picture out of it. */
async function picturesAt(
  tree: SourceTree,
  units: readonly WorkUnit[],
  leaves: readonly Leaf[] | null,
  { locator, episode_index, row }: PictureWanted,
): Promise<readonly KeptPicture[]> {
  const unit = units.findLast((one) => one.first_index <= episode_index);
  if (unit === undefined || !isSelector(unit.selector) || unit.selector.path !== locator.path) return [];
  const source = await openRecordSource(tree, locator.path);
  try {
    let frame = await frameAt(source, unit.selector.from_byte);
    for (let i = unit.first_index; i < episode_index && frame !== null; i++)
      frame = await frameAt(source, frame.next);
    if (frame?.kind !== 'record') return [];
    const example = decodeExample(await source.read(frame.at + headerBytes, frame.length));
    const leaf = (leaves ?? leavesOf(example)).find(({ id, per_step }) => per_step && id === locator.channel);
    const values = leaf === undefined ? undefined : example.get(leaf.key);
    if (leaf === undefined || values === undefined || row < 0 || row >= values.count) return [];
    const layout = layoutOf(leaf);
    const picture = { index: row, time_s: 0, bytes: Uint8Array.from(payloadOf(leaf, values, row)) };
    return [layout === null ? picture : { ...picture, layout }];
  } catch (thrown) {
    if (thrown instanceof RangeError) return [];
    throw thrown;
  } finally {
    await source.close();
  }
}

function otherFormat({ name, file_format }: DatasetInfo): AssayError {
  return new AssayError('unsupported_version', `${name} is stored as ${file_format}; only TFRecord is read`, {
    path: infoName,
    place: '/fileFormat',
    advice:
      'convert it with TFDS: tfds.builder_from_directory(…), then convert_format with out_file_format="tfrecord"',
  });
}

function withoutSteps(): AssayError {
  return new AssayError(
    'unreadable_input',
    `${featuresName} declares no steps: a TFDS set that holds no episodes of RLDS`,
    {
      path: featuresName,
      advice: 'pass a set of episodes (RLDS: https://github.com/google-research/rlds)',
    },
  );
}

function withoutRecords({ missing }: Plan): AssayError {
  const named = missing.slice(0, 3).map(({ path }) => path);
  const what =
    named.length === 0 ? 'its shards hold no record' : `its shards are not there: ${named.join(', ')}`;
  return new AssayError('unreadable_input', `nothing can be read of the set: ${what}`, {
    path: named[0] ?? infoName,
    advice: 'fetch the shards again',
  });
}
