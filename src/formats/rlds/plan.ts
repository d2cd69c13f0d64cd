import type { SourceTree } from '#io/sources';
import type { WorkUnit } from '../shared/reader.ts';
import { type DatasetInfo, featuresName, infoName, shardName } from './dataset-info.ts';
import { footerBytes, frameAt, headerBytes, openRecordSource, type RecordSource } from './records/framing.ts';

/** Where a unit's records lie. */
export interface RldsSelector {
  readonly path: string;
  readonly from_byte: number;
  readonly first_record: number;
  /** Records to read; null: all to the end of the file. */
  readonly records: number | null;
}

/** A shard that is there. */
/** Also of a unit that came back from another thread. */
export function isSelector(value: unknown): value is RldsSelector {
  return typeof value === 'object' && value !== null && 'from_byte' in value;
}

interface Shard {
  readonly path: string;
  /** Null where dataset_info.json does not name it. */
  readonly split: string | null;
  readonly declared: number | null;
}

/** What walking the lengths of a shard's records showed. */
interface ShardCount {
  readonly shard: Shard;
  /** Records and damaged places; null where only reading tells. */
  readonly records: number | null;
  /** Of the records without framing; null where a damaged length hides some. */
  readonly payload_bytes: number | null;
}

export interface Plan {
  readonly units: readonly WorkUnit[];
  readonly counts: readonly ShardCount[];
  readonly missing: readonly { readonly split: string; readonly path: string; readonly declared: number }[];
}

/** Large shards are cut, so that several hands can read one. */
const unitBytes = 32 * 1024 * 1024;
/** With so many shards every hand has one, and none need be cut. */
const enoughShards = 4;
const framingBytes = headerBytes + footerBytes;

export async function planShards(tree: SourceTree, info: DatasetInfo | null): Promise<Plan> {
  const { shards, missing } = listShards(tree, info);
  const fitting = splitsThatFit(tree, info);
  const units: WorkUnit[] = [];
  const counts: ShardCount[] = [];
  let first = 0;
  for (const shard of shards) {
    const believe = tree.store !== null || (shard.split !== null && fitting.has(shard.split));
    const walked = await planShard(tree, shard, believe, units.length === 0);
    counts.push(walked.count);
    for (const cut of walked.cuts) {
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

/** Shards in the order of dataset_info.json, then those that it does not name. */
function listShards(
  tree: SourceTree,
  info: DatasetInfo | null,
): { shards: Shard[]; missing: Plan['missing'][number][] } {
  const shards: Shard[] = [];
  const missing: Plan['missing'][number][] = [];
  const named = new Set<string>([infoName, featuresName]);
  for (const split of info?.splits ?? [])
    split.shard_lengths.forEach((declared, at) => {
      const path = shardName(info!, split, at);
      if (named.has(path)) return;
      named.add(path);
      if (tree.has(path)) shards.push({ path, split: split.name, declared });
      else missing.push({ split: split.name, path, declared });
    });
  for (const { path } of tree.files)
    if (!named.has(path) && isShardName(path)) shards.push({ path, split: null, declared: null });
  return { shards, missing };
}

/** Shards as TFDS and TensorFlow name them. */
export function isShardName(path: string): boolean {
  return /\.tfrecords?(-\d+-of-\d+)?(\.gz)?$/i.test(path);
}

interface Cut {
  readonly selector: RldsSelector;
  readonly expected: number;
  readonly bytes: number;
}

/**
 * Splits of many shards whose files are together as long as numBytes and the framing of as many records as declared:
 * nothing is missing there, and nobody need step through the lengths to know it.
 */
function splitsThatFit(tree: SourceTree, info: DatasetInfo | null): ReadonlySet<string> {
  const fitting = (info?.splits ?? []).filter((split) => {
    if (split.bytes === null || split.shard_lengths.length < enoughShards) return false;
    let expected = split.bytes;
    let found = 0;
    split.shard_lengths.forEach((length, at) => {
      expected += length * framingBytes;
      found += tree.entry(shardName(info!, split, at))?.bytes ?? 0;
    });
    return found === expected;
  });
  return new Set(fitting.map(({ name }) => name));
}

/**
 * Cuts a shard into units. Where the declared number is not believed, every length is stepped through without reading
 * a record; in a store each step would be a request. Of the set's first shard the head is a unit of its own, so that a
 * look at the set needs no more.
 */
async function planShard(
  tree: SourceTree,
  shard: Shard,
  believe: boolean,
  isFirst: boolean,
): Promise<{ count: ShardCount; cuts: Cut[] }> {
  const bytes = tree.entry(shard.path)?.bytes ?? 0;
  if (shard.declared !== null && believe && (tree.store !== null || !isFirst || bytes <= unitBytes))
    return believed(shard, shard.declared, bytes);
  const source = await openRecordSource(tree, shard.path);
  try {
    if (shard.declared === null) return await walked(source, shard, bytes);
    if (source.size === null) return believed(shard, shard.declared, bytes);
    return believe ? await headed(source, shard, shard.declared, bytes) : await walked(source, shard, bytes);
  } finally {
    await source.close();
  }
}

/** The records of the first bytes, and all others. */
async function headed(
  source: RecordSource,
  shard: Shard,
  declared: number,
  bytes: number,
): Promise<{ count: ShardCount; cuts: Cut[] }> {
  let records = 0;
  let at = 0;
  for (
    let frame = await frameAt(source, 0);
    frame !== null && at < unitBytes;
    frame = await frameAt(source, at)
  ) {
    records++;
    at = frame.next;
  }
  if (records >= declared) return believed(shard, declared, bytes);
  const { count, cuts } = believed(shard, declared, bytes);
  const rest = { ...cuts[0].selector, from_byte: at, first_record: records };
  const head = { ...cuts[0].selector, records };
  return {
    count,
    cuts: [
      { selector: head, expected: records, bytes: at },
      { selector: rest, expected: declared - records, bytes: bytes - at },
    ],
  };
}

function believed(shard: Shard, declared: number, bytes: number): { count: ShardCount; cuts: Cut[] } {
  const selector = { path: shard.path, from_byte: 0, first_record: 0, records: null };
  return {
    count: { shard, records: null, payload_bytes: null },
    cuts: [{ selector, expected: declared, bytes }],
  };
}

async function walked(
  source: RecordSource,
  shard: Shard,
  bytes: number,
): Promise<{ count: ShardCount; cuts: Cut[] }> {
  const starts = [0];
  const firsts = [0];
  let records = 0;
  let payload = 0;
  let sound = true;
  let at = 0;
  for (let frame = await frameAt(source, 0); frame !== null; frame = await frameAt(source, at)) {
    if (at - starts[starts.length - 1] >= unitBytes && source.size !== null) {
      starts.push(at);
      firsts.push(records);
    }
    records++;
    if (frame.kind === 'record') payload += frame.length;
    else sound = false;
    at = frame.next;
  }
  const cuts = starts.map((from_byte, i) => {
    const expected = (firsts[i + 1] ?? records) - firsts[i];
    const selector = { path: shard.path, from_byte, first_record: firsts[i], records: expected };
    return { selector, expected, bytes: source.size === null ? bytes : (starts[i + 1] ?? at) - from_byte };
  });
  const count = { shard, records, payload_bytes: sound ? payload : null };
  return { count, cuts: records === 0 ? [] : cuts };
}
