import type { FileParts } from '../file-parts.ts';
import { type Hdf5Value, toValue } from '../items.ts';
import { readAttributes, type StoredAttribute } from './attributes.ts';
import type { ObjectHeader } from './object-header.ts';

/** The attributes of one object, read when first asked for. */
export class AttributeSet {
  readonly #parts: FileParts;
  readonly #path: string;
  readonly #header: ObjectHeader;
  #stored: Promise<ReadonlyMap<string, StoredAttribute>> | null = null;

  constructor(parts: FileParts, path: string, header: ObjectHeader) {
    this.#parts = parts;
    this.#path = path;
    this.#header = header;
  }

  async names(): Promise<readonly string[]> {
    return [...(await this.#all()).keys()];
  }

  /** A value; undefined where there is none of that name, or an empty one. Throws for types that are not read. */
  async get(name: string): Promise<Hdf5Value | undefined> {
    const stored = (await this.#all()).get(name);
    if (stored === undefined || stored.space.kind === 'null') return undefined;
    const place = { file: this.#parts.bytes.file, place: `attribute ${name} of ${this.#path}` };
    return toValue({ ...this.#parts, place }, stored.bytes, stored.type, stored.space.kind === 'scalar');
  }

  /** A text; null where there is none, or no text. */
  async text(name: string): Promise<string | null> {
    const value = await this.get(name);
    if (typeof value === 'string') return value;
    return Array.isArray(value) && value.length === 1 ? value[0] : null;
  }

  /** A number, or true as 1 and false as 0; null where there is none. */
  async number(name: string): Promise<number | null> {
    const value = await this.get(name);
    if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') {
      return Number(value);
    }
    return ArrayBuffer.isView(value) && value.length === 1 ? Number(value[0]) : null;
  }

  /** Whether it is stored as an integer, which a number may not be. */
  async isInteger(name: string): Promise<boolean> {
    return (await this.#all()).get(name)?.type.kind === 'integer';
  }

  #all(): Promise<ReadonlyMap<string, StoredAttribute>> {
    this.#stored ??= readAttributes(this.#parts.bytes, this.#header).then(
      (list) => new Map(list.map((attribute) => [attribute.name, attribute])),
    );
    return this.#stored;
  }
}
