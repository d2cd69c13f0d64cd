import type { Episode, Finding, SourceRef } from '#core/episode';
import type { SourceTree } from '#io/sources';
import type { ReadOptions, Unreadable, WorkUnit } from '../../shared/reader.ts';
import { assemble, type RecordPlace, type SetFacts } from '../assemble.ts';
import type { RldsSelector } from '../plan.ts';
import { tfdsBreach } from '../rules.ts';
import { decodeExample } from './example.ts';
import {
  type Frame,
  footerBytes,
  frameAt,
  headerBytes,
  maskedCrc32c,
  openRecordSource,
  type RecordSource,
} from './framing.ts';

/** An episode of pictures is some tens of megabytes; a record larger than this is not read into memory. */
const mostRecordBytes = 512 * 1024 * 1024;

type CountRule = 'shard_count_mismatch' | 'split_count_mismatch';
type RecordFrame = Extract<Frame, { kind: 'record' }>;

/** Reads the records of one unit, each an episode; a damaged one costs itself only. */
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
  // A plain shard's number is believed where the files of its split are as long as all its records.
  const believed = tree.store === null && source.size !== null;
  const miscount: CountRule = believed ? 'shard_count_mismatch' : 'split_count_mismatch';
  try {
    let at = from_byte;
    for (let i = 0; i < unit.expected_episodes; i++) {
      signal?.throwIfAborted();
      const record = first_record + i;
      const place = { path, record, id: recordId(path, record), index: unit.first_index + i, sources };
      const frame = await frameAt(source, at);
      if (frame === null)
        return void (yield unreadable(place, endedEarly(place, unit.expected_episodes, miscount)));
      const item =
        frame.kind === 'record' ? await readRecord(source, frame, place, facts) : broken(frame, place);
      const isLast = records === null && i === unit.expected_episodes - 1;
      const beyond = isLast && (await frameAt(source, frame.next)) !== null;
      yield beyond && !('unreadable' in item)
        ? { ...item, findings: [...item.findings, moreThanDeclared(place, miscount)] }
        : item;
      at = frame.next;
      onBytes?.(source.size === null ? unit.bytes : at - from_byte);
    }
  } finally {
    await source.close();
  }
}

/** Names an episode by its shard and its place there, so that other shards do not change it. */
function recordId(path: string, record: number): string {
  return `${path.replace(/\.tfrecords?(?=-|\.|$)/i, '').replace(/\.gz$/i, '')}/${String(record).padStart(6, '0')}`;
}

async function readRecord(
  source: RecordSource,
  { at, length }: RecordFrame,
  place: RecordPlace,
  facts: SetFacts,
): Promise<Episode | Unreadable> {
  const message = (why: string) => `record ${place.record} at byte ${at} ${why}`;
  const wrong = (code: string, why: string, advice: string) =>
    unreadable(place, { code, severity: 'error', path: place.path, message: message(why), advice });
  const breach = (code: Parameters<typeof tfdsBreach>[0], why: string) =>
    unreadable(place, tfdsBreach(code, place.path, message(why)));
  if (length > mostRecordBytes)
    return wrong(
      'record_too_large',
      `has ${length} bytes; at most ${mostRecordBytes} are read`,
      'split the episode',
    );
  const bytes = await source.read(at + headerBytes, length + footerBytes);
  if (bytes.length < length + footerBytes)
    return breach('record_truncated', 'ends before its end: the file was cut off');
  if (!fitsCrc(bytes, length)) return breach('record_damaged', 'does not fit its checksum (CRC-32C)');
  try {
    const example = decodeExample(bytes.subarray(0, length));
    if (![...example.keys()].some((key) => key.startsWith('steps/')))
      return wrong(
        'record_without_steps',
        'has no steps, so it is no episode',
        'check which program wrote it',
      );
    return assemble(example, place, facts);
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    return breach('record_undecodable', `is no tf.train.Example: ${thrown.message}`);
  }
}

/** Whether the masked CRC-32C behind the data is that of the data. */
function fitsCrc(bytes: Uint8Array, length: number): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset + length, footerBytes);
  return maskedCrc32c(bytes, 0, length) === view.getUint32(0, true);
}

function broken(frame: Exclude<Frame, { kind: 'record' }>, place: RecordPlace): Unreadable {
  const cut = frame.kind === 'cut';
  const message = cut
    ? `record ${place.record} at byte ${frame.at} ends before its end: the file was cut off`
    : `the length of record ${place.record} at byte ${frame.at} does not fit its checksum; ${frame.next - frame.at} bytes were passed over`;
  const evidence = { from_byte: frame.at, to_byte: frame.next };
  return unreadable(
    place,
    tfdsBreach(cut ? 'record_truncated' : 'record_damaged', place.path, message, evidence),
  );
}

function endedEarly({ path, record }: RecordPlace, declared: number, code: CountRule): Finding {
  const message = `${path} ends before record ${record}; dataset_info.json declares ${declared} records`;
  return tfdsBreach(code, path, message);
}

function moreThanDeclared({ path, record }: RecordPlace, code: CountRule): Finding {
  const message = `${path} goes on behind record ${record}, the last that dataset_info.json declares; the rest was not read`;
  return tfdsBreach(code, path, message);
}

function unreadable({ id, index }: RecordPlace, finding: Finding): Unreadable {
  return { unreadable: true, id, index, finding };
}
