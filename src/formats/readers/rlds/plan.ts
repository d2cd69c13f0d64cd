import type { SourceTree } from '../../bytes/source-tree.ts';
import type { WorkUnit } from '../../reader.ts';
import { type DatasetInfo, featuresName, infoName, shardName } from './dataset-info.ts';
import { frameAt } from './framing.ts';
import { openRecordSource, type RecordSource } from './record-source.ts';

/** Where a unit's records lie. */
export interface RldsSelector {
  readonly path: string;
  readonly from_byte: number;
  readonly first_record: number;
  /** Records to read; null: all to the end of the file. */
  readonly records: number | null;
}

/** A shard that is there. */
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

export async function planShards(tree: SourceTree, info: DatasetInfo | null): Promise<Plan> {
  const { shards, missing } = listShards(tree, info);
  const units: WorkUnit[] = [];
  const counts: ShardCount[] = [];
  let first = 0;
  for (const shard of shards) {
    const walked = await walkShard(tree, shard);
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
 * Goes from length to length through a shard without reading its records. In a store each step is a request, so that
 * the declared number is believed there until the records are read; so it is of a compressed shard.
 */
async function walkShard(tree: SourceTree, shard: Shard): Promise<{ count: ShardCount; cuts: Cut[] }> {
  const bytes = tree.entry(shard.path)?.bytes ?? 0;
  if (shard.declared !== null && tree.store !== null) return believed(shard, shard.declared, bytes);
  const source = await openRecordSource(tree, shard.path);
  try {
    if (shard.declared !== null && source.size === null) return believed(shard, shard.declared, bytes);
    return await walked(source, shard, bytes);
  } finally {
    await source.close();
  }
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
