import type { JsonObject, JsonValue } from '#kernel';
import type { SourceTree } from '../bytes/source-tree.ts';
import { parseTolerantJson } from './tolerant-json.ts';

/** Where a record lies in its file, so that it can be read again alone. */
export interface RecordPlace {
  readonly offset: number;
  readonly bytes: number;
}

export interface JsonList {
  readonly records: number;
  /** Records that are not JSON or longer than is read. */
  readonly broken: number;
  /** `list` as it should be, `cut` when the file ends before its last bracket, `other` for anything else. */
  readonly shape: 'list' | 'cut' | 'other';
}

const blockBytes = 1024 * 1024;
/** One record may be this long. */
const mostRecord = 4 * 1024 * 1024;

/**
 * Walks a JSON file `[{…}, {…}, …]` of any size, handing over one record after the other: memory follows the record,
 * not the file. Only brackets and strings are looked at between records.
 */
export async function readJsonList(
  tree: SourceTree,
  path: string,
  onRecord: (record: JsonObject, place: RecordPlace) => void,
): Promise<JsonList> {
  const scanner = new ListScanner((bytes, offset) => {
    const record = parseRecord(bytes, path);
    if (record === null) return false;
    onRecord(record, { offset, bytes: bytes.length });
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

const quote = 34;
const backslash = 92;
const openBrace = 123;
const closeBrace = 125;
const openBracket = 91;
const closeBracket = 93;

/** Finds the objects of a list, across blocks of bytes. */
class ListScanner {
  records = 0;
  broken = 0;
  /** False: it was no record after all. */
  readonly #onRecord: (bytes: Buffer, offset: number) => boolean;
  #first = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** Offset in the file of the record being read; -1 between records. */
  #start = -1;
  /** What earlier blocks hold of it. */
  #pieces: Buffer[] = [];
  #length = 0;

  constructor(onRecord: (bytes: Buffer, offset: number) => boolean) {
    this.#onRecord = onRecord;
  }

  get shape(): JsonList['shape'] {
    if (this.#first !== openBracket) return 'other';
    return this.#depth > 0 || this.#inString ? 'cut' : 'list';
  }

  feed(block: Buffer, position: number): void {
    let from = 0;
    let i = this.#inString ? this.#afterString(block, 0) : 0;
    while (i < block.length) {
      const byte = block[i];
      if (byte === quote) {
        this.#inString = true;
        i = this.#afterString(block, i + 1);
        continue;
      }
      if (byte === openBrace || byte === openBracket) {
        if (this.#first === 0) this.#first = byte;
        if (this.#depth++ === 1 && byte === openBrace && this.#first === openBracket) {
          this.#start = position + i;
          from = i;
        }
      } else if (byte === closeBrace || byte === closeBracket) {
        this.#depth--;
        if (this.#depth === 1 && this.#start >= 0) this.#finish(block.subarray(from, i + 1));
      }
      i++;
    }
    if (this.#start >= 0) this.#keep(block.subarray(from));
  }

  /** The place behind the string that is being read; the end of the block where it goes on. */
  #afterString(block: Buffer, start: number): number {
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
      if (byte === backslash && ++i === block.length) this.#escaped = true;
    }
    return block.length;
  }

  #keep(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length <= mostRecord) this.#pieces.push(Buffer.from(piece));
  }

  #finish(last: Buffer): void {
    this.records++;
    const whole = this.#pieces.length === 0 ? last : Buffer.concat([...this.#pieces, last]);
    const tooLong = this.#length + last.length > mostRecord;
    if (tooLong || !this.#onRecord(whole, this.#start)) this.broken++;
    this.#start = -1;
    this.#pieces = [];
    this.#length = 0;
  }
}
