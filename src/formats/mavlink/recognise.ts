import type { SourceTree } from '#io/sources';
import { divideByFolder } from '../shared/divide-folders.ts';
import type { DividedRecognition, Recognition } from '../shared/reader.ts';
import { parseRecord, recordHeadBytes, recordLength } from './frames.ts';

/** File names that are probed; a lone file is probed whatever its name. */
const plausibleName = /\.tlog$/i;
/** Bytes that are probed: enough for several records, and for a damaged first one. */
export const sniffedBytes = 4096;

/** Recognises all files that begin with timestamped MAVLink frames whose checksums are correct; `null` if there is none. */
export async function recogniseMavlink(
  tree: SourceTree,
  misnamed?: ReadonlySet<string>,
): Promise<Recognition | null> {
  const files: string[] = [];
  const isLoneFile = tree.files.length === 1;
  for (const { path } of tree.files) {
    if (!isLoneFile && !misnamed?.has(path) && !plausibleName.test(path)) continue;
    const head = await tree.head(path, sniffedBytes).catch(() => null);
    if (head !== null && startsAsMavlink(head)) files.push(path);
  }
  return files.length === 0 ? null : buildRecognition(files);
}

/**
 * True if the bytes hold a record whose checksum is right by the definition of its message, behind at most a damaged
 * part.
 */
export function startsAsMavlink(head: Uint8Array): boolean {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  for (let at = 0; at + recordHeadBytes <= head.length; at++) {
    const length = recordLength(view, at);
    if (length === null || at + length > head.length) continue;
    const record = parseRecord(head, view, at, length);
    if (record !== null && record.definition !== null) return true;
  }
  return false;
}

/** Divides recognised logs into one dataset per folder. */
export function divideMavlink(recognition: Recognition): readonly DividedRecognition[] {
  return divideByFolder(recognition, () => false, buildRecognition);
}

function buildRecognition(files: readonly string[]): Recognition {
  const listed = `${files.slice(0, 3).join(', ')}${files.length > 3 ? ` and ${files.length - 3} more` : ''}`;
  const verb = files.length === 1 ? 'begins' : 'begin';
  return {
    format: 'mavlink',
    evidence: [`${listed} ${verb} with timestamped MAVLink frames whose checksums are correct`],
    files,
  };
}
