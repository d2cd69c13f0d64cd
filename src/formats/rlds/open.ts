import { AssayError, messageOf } from '#core';
import type { Finding, KeptPicture, SourceRef } from '#core/episode';
import { createFileHasher, type FileHasher, hashScope, type SourceTree, sourceRefs } from '#io/sources';
import type {
  Dataset,
  PictureWanted,
  ReadOptions,
  Recognition,
  StreamedPicture,
  WorkUnit,
} from '../shared/reader.ts';
import type { SetFacts } from './assemble.ts';
import { layoutOf, payloadOf } from './cameras.ts';
import { type DatasetInfo, featuresName, infoName, readDatasetInfo } from './dataset-info.ts';
import { type Leaf, readFeatureTree } from './feature-tree.ts';
import { knownDataset } from './known-datasets.ts';
import { isSelector, type Plan, planShards } from './plan.ts';
import { decodeExample, type FeatureValues } from './records/example.ts';
import { frameAt, headerBytes, openRecordSource } from './records/framing.ts';
import { readShard } from './records/read-shard.ts';
import { tfdsBreach } from './rules.ts';
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
    picturesAt: (wanted) => pictureAt(tree, plan.units, leaves, wanted),
    pictures: async function* ({ rows, ...wanted }) {
      const found = await recordPictures(tree, plan.units, leaves, wanted);
      for (let row = 0; row < rows; row++) yield* streamedOf(found, row, row + 1);
    },
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

/** Takes one picture out of the record of an episode. */
async function pictureAt(
  tree: SourceTree,
  units: readonly WorkUnit[],
  leaves: readonly Leaf[] | null,
  { row, ...wanted }: PictureWanted,
): Promise<readonly KeptPicture[]> {
  return streamedOf(await recordPictures(tree, units, leaves, wanted), row, row + 1);
}

/** Pictures of a record, taken out when they are asked for. */
interface RecordPictures {
  readonly leaf: Leaf;
  readonly values: FeatureValues;
}

function streamedOf(found: RecordPictures | null, from: number, to: number): StreamedPicture[] {
  if (found === null) return [];
  const { leaf, values } = found;
  const layout = layoutOf(leaf);
  const rows = Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
  return rows.flatMap((row) => {
    if (row < 0 || row >= values.count) return [];
    const bytes = Uint8Array.from(payloadOf(leaf, values, row));
    const picture = { index: row, time_s: 0, bytes, key: true };
    return [layout === null ? picture : { ...picture, layout }];
  });
}

/** Steps from length to length to the record of an episode. */
async function recordPictures(
  tree: SourceTree,
  units: readonly WorkUnit[],
  leaves: readonly Leaf[] | null,
  { locator, episode_index }: Pick<PictureWanted, 'locator' | 'episode_index'>,
): Promise<RecordPictures | null> {
  const unit = units.findLast((one) => one.first_index <= episode_index);
  if (unit === undefined || !isSelector(unit.selector) || unit.selector.path !== locator.path) return null;
  const source = await openRecordSource(tree, locator.path);
  try {
    let frame = await frameAt(source, unit.selector.from_byte);
    for (let i = unit.first_index; i < episode_index && frame !== null; i++)
      frame = await frameAt(source, frame.next);
    if (frame?.kind !== 'record') return null;
    const example = decodeExample(await source.read(frame.at + headerBytes, frame.length));
    const leaf = (leaves ?? leavesOf(example)).find(({ id, per_step }) => per_step && id === locator.channel);
    const values = leaf === undefined ? undefined : example.get(leaf.key);
    return leaf === undefined || values === undefined ? null : { leaf, values };
  } catch (thrown) {
    if (thrown instanceof RangeError) return null;
    throw thrown;
  } finally {
    await source.close();
  }
}
