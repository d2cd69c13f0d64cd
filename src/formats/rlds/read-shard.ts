import type { Episode, Finding, SourceRef } from '#core/episode';
import type { SourceTree } from '#io/sources';
import type { ReadOptions, Unreadable, WorkUnit } from '../shared/reader.ts';
import { buildEpisode, type RecordContext, type SetFacts } from './build-episode.ts';
import { decodeExample } from './example.ts';
import {
  type Frame,
  footerBytes,
  headerBytes,
  maskedCrc32c,
  openRecordSource,
  type RecordSource,
  readFrame,
} from './framing.ts';
import type { RldsSelector } from './plan.ts';
import { tfdsViolation } from './rules.ts';

/** Maximum record size; episodes with images have tens of megabytes. */
const maxRecordBytes = 512 * 1024 * 1024;

type CountRule = 'shard_count_mismatch' | 'split_count_mismatch';
type RecordFrame = Extract<Frame, { kind: 'record' }>;

/**
 * Yields the records of one unit, each as an episode; a damaged record yields an `Unreadable` and does not affect
 * others.
 */
export async function* readShard(
  tree: SourceTree,
  unit: WorkUnit,
  selector: RldsSelector,
  facts: SetFacts,
  sources: readonly SourceRef[],
  { signal, onBytes }: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  const { path, from_byte, first_record, records } = selector;
  const source = await openRecordSource(tree, path);
  // The count of a plain shard is verified if its split's file sizes match all records.
  const isCountVerified = tree.store === null && source.size !== null;
  const countRule: CountRule = isCountVerified ? 'shard_count_mismatch' : 'split_count_mismatch';
  try {
    let at = from_byte;
    for (let i = 0; i < unit.expected_episodes; i++) {
      signal?.throwIfAborted();
      const record = first_record + i;
      const context = { path, record, id: recordId(path, record), index: unit.first_index + i, sources };
      const frame = await readFrame(source, at);
      if (frame === null)
        return void (yield unreadable(
          context,
          endedEarlyFinding(context, unit.expected_episodes, countRule),
        ));
      const item =
        frame.kind === 'record'
          ? await readRecord(source, frame, context, facts)
          : brokenRecord(frame, context);
      const isLast = records === null && i === unit.expected_episodes - 1;
      const hasMore = isLast && (await readFrame(source, frame.next)) !== null;
      yield hasMore && !('unreadable' in item)
        ? { ...item, findings: [...item.findings, surplusFinding(context, countRule)] }
        : item;
      at = frame.next;
      onBytes?.(source.size === null ? unit.bytes : at - from_byte);
    }
  } finally {
    await source.close();
  }
}

/** Returns the episode id: shard name and record number, so that it does not depend on other shards. */
function recordId(path: string, record: number): string {
  return `${path.replace(/\.tfrecords?(?=-|\.|$)/i, '').replace(/\.gz$/i, '')}/${String(record).padStart(6, '0')}`;
}

async function readRecord(
  source: RecordSource,
  { at, length }: RecordFrame,
  context: RecordContext,
  facts: SetFacts,
): Promise<Episode | Unreadable> {
  const message = (why: string) => `record ${context.record} at byte ${at} ${why}`;
  const invalidRecord = (code: string, why: string, advice: string) =>
    unreadable(context, { code, severity: 'error', path: context.path, message: message(why), advice });
  const violation = (code: Parameters<typeof tfdsViolation>[0], why: string) =>
    unreadable(context, tfdsViolation(code, context.path, message(why)));
  if (length > maxRecordBytes)
    return invalidRecord(
      'record_too_large',
      `has ${length} bytes; at most ${maxRecordBytes} are read`,
      'split the episode',
    );
  const bytes = await source.read(at + headerBytes, length + footerBytes);
  if (bytes.length < length + footerBytes)
    return violation('record_truncated', 'is truncated: the file ends inside it');
  if (!fitsCrc(bytes, length)) return violation('record_damaged', 'does not match its checksum (CRC-32C)');
  try {
    const example = decodeExample(bytes.subarray(0, length));
    if (![...example.keys()].some((key) => key.startsWith('steps/')))
      return invalidRecord(
        'record_without_steps',
        'has no steps, so it is not an episode',
        'check which program wrote it',
      );
    return buildEpisode(example, context, facts);
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    return violation('record_undecodable', `is not a valid tf.train.Example: ${thrown.message}`);
  }
}

/** Returns true if the masked CRC-32C after the data matches. */
function fitsCrc(bytes: Uint8Array, length: number): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset + length, footerBytes);
  return maskedCrc32c(bytes, 0, length) === view.getUint32(0, true);
}

function brokenRecord(frame: Exclude<Frame, { kind: 'record' }>, context: RecordContext): Unreadable {
  const isCut = frame.kind === 'cut';
  const message = isCut
    ? `record ${context.record} at byte ${frame.at} is truncated: the file ends inside it`
    : `the length of record ${context.record} at byte ${frame.at} does not match its checksum; ${frame.next - frame.at} bytes were skipped`;
  const evidence = { from_byte: frame.at, to_byte: frame.next };
  return unreadable(
    context,
    tfdsViolation(isCut ? 'record_truncated' : 'record_damaged', context.path, message, evidence),
  );
}

function endedEarlyFinding({ path, record }: RecordContext, declared: number, code: CountRule): Finding {
  const message = `${path} ends before record ${record}; dataset_info.json declares ${declared} records`;
  return tfdsViolation(code, path, message);
}

function surplusFinding({ path, record }: RecordContext, code: CountRule): Finding {
  const message = `${path} continues after record ${record}, the last one declared in dataset_info.json; the rest was not read`;
  return tfdsViolation(code, path, message);
}

function unreadable({ id, index }: RecordContext, finding: Finding): Unreadable {
  return { unreadable: true, id, index, finding };
}
