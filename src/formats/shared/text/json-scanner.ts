import { AssayError } from '#core';
import type { ReadableFile } from '#io/sources';

const blockBytes = 1024 * 1024;
const maxRecord_bytes = 4 * 1024 * 1024;
/** Maximum length of the text outside of the records that is stored. */
const maxOutsideBytes = 16 * 1024 * 1024;
const maxDepth = 200;
const maxKeyBytes = 1024;
/** Lists that are counted. */
const maxLists = 1000;

const quote = 34;
const backslash = 92;
const colon = 58;
const openBrace = 123;
const closeBrace = 125;
const openBracket = 91;
const closeBracket = 93;

/** Which objects of a JSON document are its records. */
export interface RecordChoice {
  /**
   * `elements`: those of the list at `path`. `lines`: JSON Lines, or the elements of a document that is a list. `members`:
   * those of a document that is an object, or of its member `path` if it has that.
   */
  readonly of: 'elements' | 'lines' | 'members';
  /** Dotted path; '', the default, is the document itself. */
  readonly path?: string;
  /** Longer records are counted and skipped. Default: 4 MiB. */
  readonly max_bytes?: number;
}

/** An object of a JSON document. `bytes` are valid until the next block is read. */
export interface ScannedRecord {
  readonly bytes: Buffer;
  /** Position of its first byte in the file. */
  readonly offset: number;
  /** Its key if it is a member of an object. */
  readonly key: string;
}

/** An open object or list outside of the records. */
interface Container {
  readonly isList: boolean;
  /** Dotted path from the top; `null` inside of an element of a list. */
  readonly path: string | null;
  /** True if its objects are records. */
  readonly hasRecords: boolean;
}

/** Reads a file and yields the records that end in each block, and the number of bytes read so far. */
export async function* scanFile(
  file: ReadableFile,
  scanner: JsonScanner,
): AsyncGenerator<{ readonly records: readonly ScannedRecord[]; readonly position: number }> {
  const block = Buffer.allocUnsafe(blockBytes);
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(block, 0, blockBytes, position);
    if (bytesRead === 0) return;
    const records = scanner.feed(block.subarray(0, bytesRead));
    position += bytesRead;
    yield { records, position };
  }
}

/**
 * Finds the records of a JSON document across blocks of bytes. Only brackets and strings are parsed, so that memory is
 * bounded by one record and the text outside of the records (16 MiB).
 */
export class JsonScanner {
  /** Number of objects in each list by its dotted path; '' for the document itself. */
  readonly lists = new Map<string, number>();
  /** Number of records that were skipped because they are too long. */
  tooLong = 0;
  readonly #file: string;
  readonly #of: RecordChoice['of'];
  readonly #path: string;
  readonly #max_bytes: number;
  readonly #containers: Container[] = [];
  #first = 0;
  /** Complete records of the current block. */
  #records: ScannedRecord[] = [];
  /** Number of bytes of all earlier blocks. */
  #position = 0;
  #recordOffset = 0;
  /** Open brackets within the current record; 0 between records. */
  #recordDepth = 0;
  #pieces: Buffer[] = [];
  #recordBytes = 0;
  #inString = false;
  #isEscaped = false;
  #string: number[] = [];
  #key = '';
  #outside: Buffer[] = [];
  #outsideBytes = 0;

  /** @param file name for messages */
  constructor(file: string, { of, path = '', max_bytes = maxRecord_bytes }: RecordChoice) {
    this.#file = file;
    this.#of = of;
    this.#path = path;
    this.#max_bytes = max_bytes;
  }

  /** `whole`, `cut` if the document ends before its last bracket, or `other` if it is not the expected object or list. */
  get shape(): 'whole' | 'cut' | 'other' {
    const isExpected =
      this.#of === 'members'
        ? this.#first === openBrace
        : this.#first === openBracket || (this.#first === openBrace && !this.#isOfList);
    if (!isExpected) return 'other';
    return this.#containers.length > 0 || this.#recordDepth > 0 || this.#inString ? 'cut' : 'whole';
  }

  /** True if the document itself must be the list. */
  get #isOfList(): boolean {
    return this.#of === 'elements' && this.#path === '';
  }

  /** The document with its records left out and missing brackets added; `null` if it is too long or cut in a text. */
  get outside(): string | null {
    if (this.#outsideBytes > maxOutsideBytes || (this.#inString && this.#recordDepth === 0)) return null;
    const closing = this.#containers.toReversed().map(({ isList }) => (isList ? ']' : '}'));
    return Buffer.concat(this.#outside).toString('utf8') + closing.join('');
  }

  /**
   * Scans the next block and returns the records that end in it; they are valid until the block is overwritten.
   * @throws AssayError `limit_exceeded` if objects and lists outside of the records are nested too deeply
   */
  feed(block: Buffer): readonly ScannedRecord[] {
    this.#records = [];
    let recordFrom = 0;
    let outsideFrom = this.#isKept() ? 0 : -1;
    for (let i = 0; i < block.length; i++) {
      const byte = block[i];
      if (this.#inString) {
        i = this.#skipString(block, i);
        continue;
      }
      if (byte === quote) {
        this.#inString = true;
        this.#string = [];
      } else if (byte === colon && this.#recordDepth === 0) this.#key = keyOf(Buffer.from(this.#string));
      else if (byte === openBrace || byte === openBracket) {
        const wasKept = this.#isKept();
        if (this.#open(byte)) {
          recordFrom = i;
          this.#recordOffset = this.#position + i;
        }
        if (wasKept && !this.#isKept()) {
          this.#keep(block.subarray(outsideFrom, byte === openBracket ? i + 1 : i));
          outsideFrom = -1;
        }
      } else if (byte === closeBrace || byte === closeBracket) {
        const wasKept = this.#isKept();
        if (this.#close()) this.#finish(block.subarray(recordFrom, i + 1));
        if (!wasKept && this.#isKept()) outsideFrom = byte === closeBracket ? i : i + 1;
      }
    }
    if (this.#recordDepth > 0) this.#addPiece(block.subarray(recordFrom));
    if (outsideFrom >= 0) this.#keep(block.subarray(outsideFrom));
    this.#position += block.length;
    return this.#records;
  }

  /** True outside of records and of the list that holds them. */
  #isKept(): boolean {
    return this.#recordDepth === 0 && this.#containers.at(-1)?.hasRecords !== true;
  }

  /** Returns the index of the last byte of the string that is in this block. */
  #skipString(block: Buffer, start: number): number {
    const isKey = this.#recordDepth === 0;
    for (let i = start; i < block.length; i++) {
      const byte = block[i];
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = true;
      else if (byte === quote) {
        this.#inString = false;
        return i;
      }
      if (isKey && this.#string.length < maxKeyBytes) this.#string.push(byte);
    }
    return block.length - 1;
  }

  /** Returns true if a record begins here. */
  #open(byte: number): boolean {
    if (this.#first === 0) this.#first = byte;
    if (this.#recordDepth > 0) {
      this.#recordDepth++;
      return false;
    }
    const parent = this.#containers.at(-1);
    const isObject = byte === openBrace;
    if (isObject && parent?.isList === true && parent.path !== null) this.#count(parent.path);
    const isLine = parent === undefined && this.#of === 'lines' && isObject;
    if (isLine) this.#count('');
    const path = parent === undefined ? '' : this.#pathBelow(parent);
    const isNested = this.#of === 'members' && path === this.#path;
    if (isLine || (isObject && parent?.hasRecords === true && !isNested)) {
      this.#recordDepth = 1;
      return true;
    }
    if (this.#containers.length >= maxDepth)
      throw new AssayError(
        'limit_exceeded',
        `${this.#file} nests objects and lists more than ${maxDepth} deep`,
        {
          path: this.#file,
          advice: 'check where the file comes from; no recording is nested that deeply',
        },
      );
    this.#containers.push({ isList: !isObject, path, hasRecords: this.#hasRecords(isObject, path) });
    return false;
  }

  #hasRecords(isObject: boolean, path: string | null): boolean {
    if (this.shape === 'other') return false;
    if (this.#of === 'members') return isObject && (path === '' || path === this.#path);
    return !isObject && path === this.#path;
  }

  #pathBelow({ isList, path }: Container): string | null {
    if (isList || path === null) return null;
    return path === '' ? this.#key : `${path}.${this.#key}`;
  }

  #count(path: string): void {
    if (this.lists.has(path) || this.lists.size < maxLists)
      this.lists.set(path, (this.lists.get(path) ?? 0) + 1);
  }

  /** Returns true if a record ends here. */
  #close(): boolean {
    if (this.#recordDepth > 0) return --this.#recordDepth === 0;
    this.#containers.pop();
    return false;
  }

  #addPiece(piece: Buffer): void {
    this.#recordBytes += piece.length;
    if (this.#recordBytes <= this.#max_bytes) this.#pieces.push(Buffer.from(piece));
  }

  #finish(last: Buffer): void {
    const bytes = this.#pieces.length === 0 ? last : Buffer.concat([...this.#pieces, last]);
    if (this.#recordBytes + last.length > this.#max_bytes) this.tooLong++;
    else this.#records.push({ bytes, offset: this.#recordOffset, key: this.#key });
    this.#pieces = [];
    this.#recordBytes = 0;
  }

  #keep(piece: Buffer): void {
    this.#outsideBytes += piece.length;
    if (this.#outsideBytes <= maxOutsideBytes) this.#outside.push(Buffer.from(piece));
  }
}

function keyOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (!text.includes('\\')) return text;
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}
