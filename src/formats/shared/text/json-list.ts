import { type JsonObject, type JsonValue, parseTolerantJson } from '#core';
import type { SourceTree } from '#io/sources';
import { JsonScanner, type RecordChoice, type ScannedRecord, scanFile } from './json-scanner.ts';

/** Byte range of a record in its file, for reading it again alone. */
export interface RecordLocation {
  readonly offset: number;
  readonly bytes: number;
}

/** Counts and outcome of a scan. */
export interface JsonScanResult {
  readonly records: number;
  /** Records that are not JSON objects or exceed the size limit. */
  readonly broken: number;
  readonly shape: JsonScanner['shape'];
}

const maxMember_bytes = 64 * 1024 * 1024;

/**
 * Streams a JSON file `[{…}, {…}, …]` of any size, calls `onRecord` for each object and returns the counts; other
 * elements are counted as broken. Memory is bounded by one record (4 MiB).
 */
export function readJsonList(
  tree: SourceTree,
  path: string,
  onRecord: (record: JsonObject, location: RecordLocation) => void,
): Promise<JsonScanResult> {
  return scan(tree, path, { of: 'elements' }, ({ bytes, offset }) => {
    const record = parseRecord(bytes, path);
    if (record !== null) onRecord(record, { offset, bytes: bytes.length });
    return record !== null;
  });
}

/**
 * Streams a JSON file `{"key": {…}, …}` of any size, or its member `within` if it has one, and calls `onMember` for
 * each object whose key `isWanted` accepts; other members are counted but not parsed.
 */
export function readJsonMembers(
  tree: SourceTree,
  path: string,
  { within, isWanted }: { readonly within: string; readonly isWanted: (key: string) => boolean },
  onMember: (key: string, record: JsonObject) => void,
): Promise<JsonScanResult> {
  const choice: RecordChoice = { of: 'members', path: within, max_bytes: maxMember_bytes };
  return scan(tree, path, choice, ({ bytes, key }) => {
    if (!isWanted(key)) return true;
    const record = parseRecord(bytes, path);
    if (record !== null) onMember(key, record);
    return record !== null;
  });
}

/** Scans a file and calls `take` for each record; it returns false for an invalid one. */
async function scan(
  tree: SourceTree,
  path: string,
  choice: RecordChoice,
  take: (record: ScannedRecord) => boolean,
): Promise<JsonScanResult> {
  const scanner = new JsonScanner(path, choice);
  let [records, broken] = [0, 0];
  await using file = await tree.openFile(path);
  for await (const block of scanFile(file, scanner))
    for (const record of block.records) {
      records++;
      if (!take(record)) broken++;
    }
  const { tooLong, shape } = scanner;
  return { records: records + tooLong, broken: broken + tooLong, shape };
}

/** Parses a record; `null` if it is not a JSON object. */
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
