import type { SourceTree } from '#io/sources';
import type { WorkUnit } from '../shared/reader.ts';
import { type DatasetInfo, featuresName, infoName, shardName } from './dataset-info.ts';
import { footerBytes, headerBytes, openRecordSource, type RecordSource, readFrame } from './framing.ts';

/** Location of a unit's records. */
export interface RldsSelector {
  readonly path: string;
  readonly from_byte: number;
  readonly first_record: number;
  /** Number of records; `null` reads to the end of the file. */
  readonly records: number | null;
}

/** True if the value is a selector of this reader, including one that was sent from another thread. */
export function isSelector(value: unknown): value is RldsSelector {
  return typeof value === 'object' && value !== null && 'from_byte' in value;
}

interface Shard {
  readonly path: string;
  /** Split of the shard; `null` if dataset_info.json does not name it. */
  readonly split: string | null;
  readonly declared: number | null;
}

/** Record count of a shard. */
interface ShardCount {
  readonly shard: Shard;
  /** Number of records and damaged places; `null` if they were not counted. */
  readonly records: number | null;
  /** Bytes of the records without framing; `null` if unknown or if a damaged length hides some. */
  readonly payload_bytes: number | null;
}

/** Work units of a dataset, with record counts and missing shards. */
export interface Plan {
  readonly units: readonly WorkUnit[];
  readonly counts: readonly ShardCount[];
  readonly missing: readonly { readonly split: string; readonly path: string; readonly declared: number }[];
}

/** Large shards are divided into units of about this size, so that several workers can read them. */
const targetUnitBytes = 32 * 1024 * 1024;
/** With this many shards or more, every worker has one and shards need not be divided. */
const minShardsUncut = 4;
const framingBytes = headerBytes + footerBytes;

/**
 * Divides the shards of a dataset into work units and lists missing shards. Record counts are taken from
 * dataset_info.json where file sizes confirm them or the data is in a remote store; otherwise records are counted.
 */
export async function planShards(tree: SourceTree, info: DatasetInfo | null): Promise<Plan> {
  const { shards, missing } = listShards(tree, info);
  const trusted = findTrustedSplits(tree, info);
  const units: WorkUnit[] = [];
  const counts: ShardCount[] = [];
  let first = 0;
  for (const shard of shards) {
    const trustCount = tree.store !== null || (shard.split !== null && trusted.has(shard.split));
    const planned = await planShard(tree, shard, trustCount, units.length === 0);
    counts.push(planned.count);
    for (const cut of planned.cuts) {
      units.push({
        id: `${shard.path} ${cut.selector.first_record}`,
        expected_episodes: cut.expected,
        first_index: first,
        bytes: cut.bytes,
        selector: cut.selector,
      });
      first += cut.expected;
    }
  }
  return { units, counts, missing };
}

/** Lists present and missing shards in the order of dataset_info.json, then present ones that it does not name. */
function listShards(
  tree: SourceTree,
  info: DatasetInfo | null,
): { shards: Shard[]; missing: Plan['missing'][number][] } {
  const shards: Shard[] = [];
  const missing: Plan['missing'][number][] = [];
  const declaredNames = new Set<string>([infoName, featuresName]);
  for (const split of info?.splits ?? [])
    split.shard_lengths.forEach((declared, at) => {
      const path = shardName(info!, split, at);
      if (declaredNames.has(path)) return;
      declaredNames.add(path);
      if (tree.has(path)) shards.push({ path, split: split.name, declared });
      else missing.push({ split: split.name, path, declared });
    });
  for (const { path } of tree.files)
    if (!declaredNames.has(path) && isShardName(path)) shards.push({ path, split: null, declared: null });
  return { shards, missing };
}

/** Returns true if the name is that of a TFRecord shard, as written by TFDS and TensorFlow. */
export function isShardName(path: string): boolean {
  return /\.tfrecords?(-\d+-of-\d+)?(\.gz)?$/i.test(path);
}

interface Cut {
  readonly selector: RldsSelector;
  readonly expected: number;
  readonly bytes: number;
}

/**
 * Returns the splits whose total file size equals numBytes plus the framing of all declared records, so that their
 * counts need not be verified. Only splits with at least `minShardsUncut` shards are considered.
 */
function findTrustedSplits(tree: SourceTree, info: DatasetInfo | null): ReadonlySet<string> {
  const trusted = (info?.splits ?? []).filter((split) => {
    if (split.bytes === null || split.shard_lengths.length < minShardsUncut) return false;
    let expected = split.bytes;
    let found = 0;
    split.shard_lengths.forEach((length, at) => {
      expected += length * framingBytes;
      found += tree.entry(shardName(info!, split, at))?.bytes ?? 0;
    });
    return found === expected;
  });
  return new Set(trusted.map(({ name }) => name));
}

/**
 * Divides a shard into units. Unless the declared count is trusted, records are counted by skipping from length to
 * length, which is not done in a remote store, where each skip is a request. The head of a dataset's first shard
 * becomes a unit of its own, so that a preview needs to read no more.
 */
async function planShard(
  tree: SourceTree,
  shard: Shard,
  trustCount: boolean,
  isFirst: boolean,
): Promise<{ count: ShardCount; cuts: Cut[] }> {
  const bytes = tree.entry(shard.path)?.bytes ?? 0;
  if (shard.declared !== null && trustCount && (tree.store !== null || !isFirst || bytes <= targetUnitBytes))
    return undividedShard(shard, shard.declared, bytes);
  const source = await openRecordSource(tree, shard.path);
  try {
    if (shard.declared === null) return await walkShard(source, shard, bytes);
    if (source.size === null) return undividedShard(shard, shard.declared, bytes);
    return trustCount
      ? await divideHead(source, shard, shard.declared, bytes)
      : await walkShard(source, shard, bytes);
  } finally {
    await source.close();
  }
}

/** Divides a shard into the records of its first `targetUnitBytes` bytes and the rest. */
async function divideHead(
  source: RecordSource,
  shard: Shard,
  declared: number,
  bytes: number,
): Promise<{ count: ShardCount; cuts: Cut[] }> {
  let records = 0;
  let at = 0;
  for (
    let frame = await readFrame(source, 0);
    frame !== null && at < targetUnitBytes;
    frame = await readFrame(source, at)
  ) {
    records++;
    at = frame.next;
  }
  if (records >= declared) return undividedShard(shard, declared, bytes);
  const { count, cuts } = undividedShard(shard, declared, bytes);
  const tail = { ...cuts[0].selector, from_byte: at, first_record: records };
  const head = { ...cuts[0].selector, records };
  return {
    count,
    cuts: [
      { selector: head, expected: records, bytes: at },
      { selector: tail, expected: declared - records, bytes: bytes - at },
    ],
  };
}

function undividedShard(shard: Shard, declared: number, bytes: number): { count: ShardCount; cuts: Cut[] } {
  const selector = { path: shard.path, from_byte: 0, first_record: 0, records: null };
  return {
    count: { shard, records: null, payload_bytes: null },
    cuts: [{ selector, expected: declared, bytes }],
  };
}

async function walkShard(
  source: RecordSource,
  shard: Shard,
  bytes: number,
): Promise<{ count: ShardCount; cuts: Cut[] }> {
  const starts = [0];
  const firstRecords = [0];
  let records = 0;
  let payload = 0;
  let isIntact = true;
  let at = 0;
  for (let frame = await readFrame(source, 0); frame !== null; frame = await readFrame(source, at)) {
    if (at - starts[starts.length - 1] >= targetUnitBytes && source.size !== null) {
      starts.push(at);
      firstRecords.push(records);
    }
    records++;
    if (frame.kind === 'record') payload += frame.length;
    else isIntact = false;
    at = frame.next;
  }
  const cuts = starts.map((from_byte, i) => {
    const expected = (firstRecords[i + 1] ?? records) - firstRecords[i];
    const selector = { path: shard.path, from_byte, first_record: firstRecords[i], records: expected };
    return { selector, expected, bytes: source.size === null ? bytes : (starts[i + 1] ?? at) - from_byte };
  });
  const count = { shard, records, payload_bytes: isIntact ? payload : null };
  return { count, cuts: records === 0 ? [] : cuts };
}
