import type { JsonObject, JsonValue } from '#core';
import { parseTolerantJson } from '#core';
import type { SourceTree } from '#io/sources';
import { RecordScanner, type ScanOptions } from './record-scanner.ts';

/** Where a record lies in its file, so that it can be read again alone. */
export interface RecordPlace {
  readonly offset: number;
  readonly bytes: number;
}

export interface ScannedJson {
  readonly records: number;
  /** Records that are not JSON or longer than is read. */
  readonly broken: number;
  readonly shape: RecordScanner['shape'];
}

const blockBytes = 1024 * 1024;
const mostRow = 4 * 1024 * 1024;
const mostMember = 64 * 1024 * 1024;

/**
 * Walks a JSON file `[{…}, {…}, …]` of any size, handing over one record after the other: memory follows the record,
 * not the file.
 */
export function readJsonList(
  tree: SourceTree,
  path: string,
  onRecord: (record: JsonObject, place: RecordPlace) => void,
): Promise<ScannedJson> {
  return scan(tree, path, { of: 'list', most_bytes: mostRow }, (record, place) => onRecord(record, place));
}

/**
 * Walks a JSON file `{"key": {…}, …}` of any size likewise, or the members of its member `within` where it has one.
 * `isWanted` false: the record is counted and not parsed.
 */
export function readJsonMembers(
  tree: SourceTree,
  path: string,
  { within, isWanted }: { readonly within: string; readonly isWanted: (key: string) => boolean },
  onMember: (key: string, record: JsonObject) => void,
): Promise<ScannedJson> {
  const options: ScanOptions = { of: 'members', within, most_bytes: mostMember };
  return scan(tree, path, options, (record, _, key) => onMember(key, record), isWanted);
}

async function scan(
  tree: SourceTree,
  path: string,
  options: ScanOptions,
  onRecord: (record: JsonObject, place: RecordPlace, key: string) => void,
  isWanted: (key: string) => boolean = () => true,
): Promise<ScannedJson> {
  const scanner = new RecordScanner(options, (bytes, offset, key) => {
    if (!isWanted(key)) return true;
    const record = parseRecord(bytes, path);
    if (record === null) return false;
    onRecord(record, { offset, bytes: bytes.length }, key);
    return true;
  });
  await using file = await tree.openFile(path);
  const block = Buffer.allocUnsafe(blockBytes);
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(block, 0, blockBytes, position);
    if (bytesRead === 0) break;
    scanner.feed(block.subarray(0, bytesRead), position);
    position += bytesRead;
  }
  return { records: scanner.records, broken: scanner.broken, shape: scanner.shape };
}

/** A record that is an object; null for anything else. */
export function parseRecord(bytes: Buffer, path: string): JsonObject | null {
  try {
    const { value } = parseTolerantJson(bytes.toString('utf8'), path);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
