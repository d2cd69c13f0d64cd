import { AssayError, listText, messageOf } from '#core';
import type { Finding, SampledPicture, SourceRef } from '#core/episode';
import { createFileHasher, type FileHasher, hashScope, type SourceTree, sourceRefs } from '#io/sources';
import type {
  Dataset,
  PictureRequest,
  ReadOptions,
  Recognition,
  StreamedPicture,
  WorkUnit,
} from '../shared/reader.ts';
import type { SetFacts } from './build-episode.ts';
import { type DatasetInfo, featuresName, infoName, readDatasetInfo } from './dataset-info.ts';
import { decodeExample, type FeatureValues } from './example.ts';
import { inferLeaves, type Leaf, readFeatureTree } from './features.ts';
import { headerBytes, openRecordSource, readFrame } from './framing.ts';
import { knownDataset } from './known-datasets.ts';
import { isSelector, type Plan, planShards } from './plan.ts';
import { readShard } from './read-shard.ts';
import { tfdsViolation } from './rules.ts';
import { setFindings } from './set-findings.ts';
import { rawLayout, readPayload } from './streams.ts';

/**
 * Opens an RLDS dataset by its metadata and record lengths; contents are read unit by unit. Throws
 * `unsupported_version` for other formats than TFRecord, `unreadable_input` if there are no steps or no records.
 */
export async function openRlds(tree: SourceTree, recognition: Recognition): Promise<Dataset> {
  const metadataFindings: Finding[] = [];
  const info = await readDatasetInfo(tree).catch(reportUnreadable(infoName, metadataFindings));
  if (info !== null && info.file_format !== 'tfrecord') throw unsupportedFormatError(info);
  const declaredFeatures = await readFeatureTree(tree).catch(
    reportUnreadable(featuresName, metadataFindings),
  );
  const leaves = declaredFeatures?.leaves ?? null;
  metadataFindings.push(
    ...refusedFindings(infoName, info),
    ...refusedFindings(featuresName, declaredFeatures),
  );
  if (leaves !== null && !leaves.some(({ per_step }) => per_step)) throw noStepsError();
  const plan = await planShards(tree, info);
  if (plan.units.length === 0) throw noRecordsError(plan);
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
    findings: [...metadataFindings, ...setFindings(info, leaves, known, plan, tree.has(featuresName))].filter(
      isNotRepeated,
    ),
    units: plan.units,
    async *read(unit, options) {
      const { selector } = unit;
      if (!isSelector(selector))
        throw new AssayError('internal', `${unit.id} is not a unit of TFRecord shards`);
      const sources = await readSources(tree, hasher, selector.path, options);
      yield* readShard(tree, unit, selector, facts, sources, options);
    },
    picturesAt: (request) => readPicture(tree, plan.units, leaves, request),
    pictures: async function* ({ rows, ...request }) {
      const found = await findRecordPictures(tree, plan.units, leaves, request);
      for (let row = 0; row < rows; row++) yield* readPictures(found, row, row + 1);
    },
    close: async () => {},
  };
}

/**
 * Returns a handler that reports an unreadable metadata file and returns `null`, so that records are read without it.
 * Other errors are rethrown.
 */
function reportUnreadable(path: string, findings: Finding[]): (thrown: unknown) => null {
  return (thrown) => {
    if (!(thrown instanceof AssayError) || thrown.code !== 'unreadable_input') throw thrown;
    findings.push(tfdsViolation('metadata_unreadable', path, messageOf(thrown)));
    return null;
  };
}

/** Returns a finding if TFDS refuses a metadata file that was read nevertheless. */
const refusedFindings = (path: string, file: Pick<DatasetInfo, 'refused'> | null): Finding[] =>
  file === null || file.refused.length === 0
    ? []
    : [
        tfdsViolation(
          'metadata_unreadable',
          path,
          `TFDS cannot parse ${path}: it contains ${listText(file.refused)}`,
        ),
      ];

/** Returns false for a `…_missing` finding about a file that is already reported as unreadable. */
function isNotRepeated({ code, path }: Finding, _: number, all: readonly Finding[]): boolean {
  return !(
    code.endsWith('_missing') &&
    all.some((other) => other.code === 'metadata_unreadable' && other.path === path)
  );
}

function readSources(
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

function unsupportedFormatError({ name, file_format }: DatasetInfo): AssayError {
  return new AssayError(
    'unsupported_version',
    `${name} is stored as ${file_format}; only TFRecord is supported`,
    {
      path: infoName,
      place: '/fileFormat',
      advice:
        'convert it with TFDS: tfds.builder_from_directory(…), then convert_format with out_file_format="tfrecord"',
    },
  );
}

function noStepsError(): AssayError {
  return new AssayError(
    'unreadable_input',
    `${featuresName} declares no steps, so this TFDS dataset has no RLDS episodes`,
    {
      path: featuresName,
      advice: 'pass a dataset of episodes (RLDS: https://github.com/google-research/rlds)',
    },
  );
}

function noRecordsError({ missing }: Plan): AssayError {
  const listed = missing.slice(0, 3).map(({ path }) => path);
  const what =
    listed.length === 0 ? 'its shards have no records' : `its shards are missing: ${listed.join(', ')}`;
  return new AssayError('unreadable_input', `the dataset cannot be read: ${what}`, {
    path: listed[0] ?? infoName,
    advice: 'copy the shards again',
  });
}

/** Reads one image of an episode. */
async function readPicture(
  tree: SourceTree,
  units: readonly WorkUnit[],
  leaves: readonly Leaf[] | null,
  { row, ...request }: PictureRequest,
): Promise<readonly SampledPicture[]> {
  return readPictures(await findRecordPictures(tree, units, leaves, request), row, row + 1);
}

/** Images of a record, extracted on access. */
interface RecordPictures {
  readonly leaf: Leaf;
  readonly values: FeatureValues;
}

function readPictures(found: RecordPictures | null, from: number, to: number): StreamedPicture[] {
  if (found === null) return [];
  const { leaf, values } = found;
  const layout = rawLayout(leaf);
  const rows = Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
  return rows.flatMap((row) => {
    if (row < 0 || row >= values.count) return [];
    const bytes = Uint8Array.from(readPayload(leaf, values, row));
    const picture = { index: row, time_s: 0, bytes, key: true };
    return [layout === null ? picture : { ...picture, layout }];
  });
}

/**
 * Finds the record of an episode by skipping from length to length; `null` if the record or the feature cannot be read.
 */
async function findRecordPictures(
  tree: SourceTree,
  units: readonly WorkUnit[],
  leaves: readonly Leaf[] | null,
  { locator, episode_index }: Pick<PictureRequest, 'locator' | 'episode_index'>,
): Promise<RecordPictures | null> {
  const unit = units.findLast((other) => other.first_index <= episode_index);
  if (unit === undefined || !isSelector(unit.selector) || unit.selector.path !== locator.path) return null;
  const source = await openRecordSource(tree, locator.path);
  try {
    let frame = await readFrame(source, unit.selector.from_byte);
    for (let i = unit.first_index; i < episode_index && frame !== null; i++)
      frame = await readFrame(source, frame.next);
    if (frame?.kind !== 'record') return null;
    const example = decodeExample(await source.read(frame.at + headerBytes, frame.length));
    const leaf = (leaves ?? inferLeaves(example)).find(
      ({ id, per_step }) => per_step && id === locator.channel,
    );
    const values = leaf === undefined ? undefined : example.get(leaf.key);
    return leaf === undefined || values === undefined ? null : { leaf, values };
  } catch (thrown) {
    if (thrown instanceof RangeError) return null;
    throw thrown;
  } finally {
    await source.close();
  }
}
