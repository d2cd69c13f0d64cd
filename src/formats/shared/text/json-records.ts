import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { detectUtf16, type JsonValue, messageOf, parseTolerantJson } from '#core';
import type { SourceTree } from '#io/sources';

/** Result of `readJsonRecords`. */
export interface JsonRecords {
  /** SHA-256 of the file, lower-case hexadecimal. */
  readonly sha256: string;
  /** Names of the top-level lists, with the number of objects in each. */
  readonly lists: ReadonlyMap<string, number>;
  /** Names of the lists that are there again after records; Python keeps the last list with a name. */
  readonly repeated: ReadonlySet<string>;
  /**
   * `object` if the file is a complete object, `list` for a bare list, `cut` if it ends before its last bracket, else
   * `other`.
   */
  readonly shape: 'object' | 'list' | 'cut' | 'other';
  /** Number of records that are not JSON. */
  readonly broken: number;
  /** Reasons why Python's `json.load` fails on the file; empty if it succeeds. */
  readonly refused: readonly string[];
}

const blockBytes = 1024 * 1024;
/** Text outside of records is checked up to this length. */
const maxOutsideChars = 64 * 1024 * 1024;
/** Maximum record length in characters; a mask in full polygons of a large picture takes some hundred kilobytes. */
const maxRecordChars = 64 * 1024 * 1024;

/**
 * Streams a JSON file `{"name": [ {…}, {…} ], …}` of any size, calls `onRecord` for each record, and returns counts,
 * the SHA-256 and what keeps Python from loading the file.
 *
 * Records that are not JSON are counted. Memory is bounded by one record. Between records only braces, brackets and
 * strings are parsed.
 */
export async function readJsonRecords(
  tree: SourceTree,
  path: string,
  onRecord: (list: string, record: JsonValue) => void,
): Promise<JsonRecords> {
  const digest = createHash('sha256');
  const refused = new Set<string>();
  const scanner = new Scanner((list, text) => {
    const record = parseTolerantJson(text, path);
    for (const oddity of record.refused) refused.add(oddity);
    onRecord(list, record.value);
  });
  let decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const utf8 = new Utf8Validator();
  await using file = await tree.openFile(path);
  const block = Buffer.allocUnsafe(blockBytes);
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(block, 0, blockBytes, position);
    if (bytesRead === 0) break;
    position += bytesRead;
    const bytes = block.subarray(0, bytesRead);
    digest.update(bytes);
    const utf16 = position === bytesRead ? detectUtf16(bytes) : null;
    if (utf16 !== null) {
      decoder = new TextDecoder(utf16);
      refused.add('UTF-16 instead of UTF-8');
    }
    if (!refused.has('UTF-16 instead of UTF-8')) utf8.feed(bytes);
    scanner.feed(decoder.decode(bytes, { stream: true }));
  }
  const { lists, repeated, shape, broken, outside } = scanner;
  if (!utf8.end()) refused.add('invalid UTF-8');
  if (broken > 0) refused.add(`${broken} ${broken === 1 ? 'record' : 'records'} with invalid JSON`);
  for (const oddity of outside === null ? [] : refusedOutside(outside, path)) refused.add(oddity);
  return { sha256: digest.digest('hex'), lists, repeated, shape, broken, refused: [...refused] };
}

/** Returns why `json.load` fails on the text outside of records, in which each record was replaced by a number. */
function refusedOutside(text: string, path: string): readonly string[] {
  try {
    return parseTolerantJson(text, path).refused;
  } catch (thrown) {
    return [`invalid JSON (${messageOf(thrown)})`];
  }
}

/** Validates UTF-8 across blocks. */
class Utf8Validator {
  #isValid = true;
  /** First bytes of a character that continues in the next block. */
  #partial = Buffer.alloc(0);

  feed(block: Buffer): void {
    const bytes = this.#partial.length === 0 ? block : Buffer.concat([this.#partial, block]);
    const end = bytes.length - unfinishedBytes(bytes);
    this.#isValid &&= isUtf8(bytes.subarray(0, end));
    this.#partial = Buffer.from(bytes.subarray(end));
  }

  end(): boolean {
    return this.#isValid && this.#partial.length === 0;
  }
}

/** Returns the number of trailing bytes that belong to an incomplete character. */
function unfinishedBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back];
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}

const quote = 34;
const backslash = 92;
const openBrace = 123;
const closeBrace = 125;
const openBracket = 91;
const closeBracket = 93;
const colon = 58;

/** Finds the objects in the lists of the top-level object across chunks of text. */
class Scanner {
  readonly lists = new Map<string, number>();
  readonly repeated = new Set<string>();
  broken = 0;
  readonly #onRecord: (list: string, text: string) => void;
  #depth = 0;
  #first = 0;
  #inString = false;
  #escaped = false;
  /** Last string at the top level, a possible key. */
  #key = '';
  #lastString = '';
  #list: string | null = null;
  /** Chunks of the current record; null between records. */
  #record: string[] | null = null;
  #recordLength = 0;
  /** True if only a comma separates the current record from the previous one. */
  #isNext = false;
  readonly #outside: string[] = [];
  #outsideLength = 0;

  constructor(onRecord: (list: string, text: string) => void) {
    this.#onRecord = onRecord;
  }

  get shape(): JsonRecords['shape'] {
    if (this.#first === 0) return 'other';
    if (this.#depth > 0 || this.#inString) return 'cut';
    return this.#first === openBracket ? 'list' : 'object';
  }

  /** Text of the file with 0 in place of each sequence of records; `null` if it is too long. */
  get outside(): string | null {
    return this.#outsideLength > maxOutsideChars ? null : this.#outside.join('');
  }

  feed(text: string): void {
    let start = this.#record === null ? -1 : 0;
    let after = 0;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (this.#inString) {
        this.#string(code, text, i);
        continue;
      }
      if (code === quote) {
        this.#inString = true;
        this.#lastString = '';
      } else if (code === colon && this.#depth === 1) this.#key = this.#lastString;
      else if (code === openBrace || code === openBracket) {
        if (this.#open(code)) {
          this.#isNext = after > 0 && isComma(text, after, i);
          if (!this.#isNext) this.#keepOutside(text.slice(after, i));
          start = i;
        }
      } else if ((code === closeBrace || code === closeBracket) && this.#close()) {
        this.#take(text.slice(start, i + 1));
        this.#finish();
        if (!this.#isNext) this.#keepOutside('0');
        start = -1;
        after = i + 1;
      }
    }
    if (start >= 0) this.#take(text.slice(start));
    else this.#keepOutside(text.slice(after));
  }

  #keepOutside(piece: string): void {
    this.#outsideLength += piece.length;
    if (this.#outsideLength <= maxOutsideChars) this.#outside.push(piece);
  }

  #string(code: number, text: string, i: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (code === backslash) this.#escaped = true;
    else if (code === quote) {
      this.#inString = false;
      return;
    }
    if (this.#depth === 1) this.#lastString += text[i];
  }

  /** Returns true if a record begins here. */
  #open(code: number): boolean {
    if (this.#depth === 0 && this.#first === 0) this.#first = code;
    this.#depth++;
    if (this.#depth === 2 && code === openBracket && this.#first === openBrace) {
      this.#list = this.#key;
      if ((this.lists.get(this.#key) ?? 0) > 0) this.repeated.add(this.#key);
      this.lists.set(this.#key, this.lists.get(this.#key) ?? 0);
    }
    if (this.#depth !== 3 || code !== openBrace || this.#list === null) return false;
    this.#record = [];
    this.#recordLength = 0;
    return true;
  }

  /** Returns true if a record ends here. */
  #close(): boolean {
    this.#depth--;
    if (this.#depth === 1) this.#list = null;
    return this.#depth === 2 && this.#record !== null;
  }

  #take(piece: string): void {
    this.#recordLength += piece.length;
    if (this.#recordLength <= maxRecordChars) this.#record?.push(piece);
  }

  #finish(): void {
    const list = this.#list ?? '';
    const text = this.#record?.join('') ?? '';
    this.#record = null;
    this.lists.set(list, (this.lists.get(list) ?? 0) + 1);
    if (this.#recordLength > maxRecordChars) {
      this.broken++;
      return;
    }
    try {
      this.#onRecord(list, text);
    } catch {
      this.broken++;
    }
  }
}

/** True if the range of the text is one comma and optional whitespace. */
function isComma(text: string, from: number, to: number): boolean {
  return to - from === 1 ? text[from] === ',' : text.slice(from, to).trim() === ',';
}
