import { type JsonObject, type JsonValue, parseTolerantJson } from '#core';
import type { SourceTree } from '#io/sources';

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
  readonly shape: RecordScanner['shape'];
}

const blockBytes = 1024 * 1024;
const maxListRecordBytes = 4 * 1024 * 1024;
const maxMemberBytes = 64 * 1024 * 1024;

/**
 * Streams a JSON file `[{…}, {…}, …]` of any size and calls `onRecord` for each object. Memory is bounded by one record
 * (4 MiB).
 */
export function readJsonList(
  tree: SourceTree,
  path: string,
  onRecord: (record: JsonObject, place: RecordLocation) => void,
): Promise<JsonScanResult> {
  return scan(tree, path, { of: 'list', max_bytes: maxListRecordBytes }, (record, place) =>
    onRecord(record, place),
  );
}

/**
 * Streams a JSON file `{"key": {…}, …}` of any size and calls `onMember` for each object, or for the members of its
 * member `within` if it has one. Members for which `isWanted(key)` is false are counted but not parsed.
 */
export function readJsonMembers(
  tree: SourceTree,
  path: string,
  { within, isWanted }: { readonly within: string; readonly isWanted: (key: string) => boolean },
  onMember: (key: string, record: JsonObject) => void,
): Promise<JsonScanResult> {
  const options: ScanOptions = { of: 'members', within, max_bytes: maxMemberBytes };
  return scan(tree, path, options, (record, _, key) => onMember(key, record), isWanted);
}

async function scan(
  tree: SourceTree,
  path: string,
  options: ScanOptions,
  onRecord: (record: JsonObject, place: RecordLocation, key: string) => void,
  isWanted: (key: string) => boolean = () => true,
): Promise<JsonScanResult> {
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

const quote = 34;
const backslash = 92;
const colon = 58;
const openBrace = 123;
const closeBrace = 125;
const openBracket = 91;
const closeBracket = 93;

/** Receives a record: its bytes, its offset in the file and its key. Returns false if it is invalid. */
type TakeRecord = (bytes: Buffer, offset: number, key: string) => boolean;

interface ScanOptions {
  /** `list`: objects of `[{…}, …]`. `members`: objects of `{"key": {…}, …}`. */
  readonly of: 'list' | 'members';
  /** Scans the members of this member instead, if the top-level object has it: `{"videos": {"key": {…}}}`. */
  readonly within?: string;
  /** Longer records are counted as broken and skipped. */
  readonly max_bytes: number;
}

/** Finds the records of a JSON file across blocks of bytes. Between records only brackets and strings are parsed. */
class RecordScanner {
  records = 0;
  broken = 0;
  readonly #options: ScanOptions;
  readonly #take: TakeRecord;
  #first = 0;
  #depth = 0;
  /** Nesting depth of the records. */
  #base = 1;
  #inString = false;
  #escaped = false;
  /** Offset in the file of the record being read; -1 between records. */
  #start = -1;
  /** Bytes of the current record from earlier blocks. */
  #pieces: Buffer[] = [];
  #length = 0;
  /** Bytes of the last string between records, a possible key. */
  #string: number[] = [];
  #key = '';

  constructor(options: ScanOptions, take: TakeRecord) {
    this.#options = options;
    this.#take = take;
  }

  /** `whole` if the file is complete, `cut` if it ends before its last bracket, `other` if it has another structure. */
  get shape(): 'whole' | 'cut' | 'other' {
    if (this.#first !== (this.#options.of === 'list' ? openBracket : openBrace)) return 'other';
    return this.#depth > 0 || this.#inString ? 'cut' : 'whole';
  }

  /** Scans the next block, which starts at file offset `position`. */
  feed(block: Buffer, position: number): void {
    let from = 0;
    let i = this.#inString ? this.#afterString(block, 0) : 0;
    while (i < block.length) {
      const byte = block[i];
      if (byte === quote) {
        this.#inString = true;
        this.#string.length = 0;
        i = this.#afterString(block, i + 1);
        continue;
      }
      if (byte === openBrace || byte === openBracket) {
        if (this.#open(byte)) {
          this.#start = position + i;
          from = i;
        }
      } else if (byte === closeBrace || byte === closeBracket) {
        if (this.#close()) this.#finish(block.subarray(from, i + 1));
      } else if (byte === colon && this.#start < 0 && this.#options.of === 'members') this.#setKey();
      i++;
    }
    if (this.#start >= 0) this.#keep(block.subarray(from));
  }

  #setKey(): void {
    this.#key = Buffer.from(this.#string).toString('utf8');
  }

  /** Returns true if a record begins here. */
  #open(byte: number): boolean {
    if (this.#first === 0) this.#first = byte;
    const at = this.#depth++;
    if (byte !== openBrace || at !== this.#base || this.shape === 'other') return false;
    if (this.#base === 1 && this.#options.within !== undefined && this.#key === this.#options.within) {
      this.#base = 2;
      return false;
    }
    return true;
  }

  /** Returns true if a record ends here. */
  #close(): boolean {
    this.#depth--;
    if (this.#base === 2 && this.#depth === 1) this.#base = 1;
    return this.#depth === this.#base && this.#start >= 0;
  }

  /** Returns the offset after the current string, or the end of the block if the string continues. */
  #afterString(block: Buffer, start: number): number {
    const isKey = this.#start < 0 && this.#options.of === 'members';
    let i = start;
    if (this.#escaped && i < block.length) {
      this.#escaped = false;
      i++;
    }
    for (; i < block.length; i++) {
      const byte = block[i];
      if (byte === quote) {
        this.#inString = false;
        return i + 1;
      }
      if (isKey && this.#string.length < maxKeyBytes) this.#string.push(byte);
      if (byte === backslash && ++i === block.length) this.#escaped = true;
    }
    return block.length;
  }

  #keep(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length <= this.#options.max_bytes) this.#pieces.push(Buffer.from(piece));
  }

  #finish(last: Buffer): void {
    this.records++;
    const tooLong = this.#length + last.length > this.#options.max_bytes;
    const whole = tooLong || this.#pieces.length === 0 ? last : Buffer.concat([...this.#pieces, last]);
    if (tooLong || !this.#take(whole, this.#start, this.#key)) this.broken++;
    this.#start = -1;
    this.#pieces = [];
    this.#length = 0;
  }
}

const maxKeyBytes = 1024;
