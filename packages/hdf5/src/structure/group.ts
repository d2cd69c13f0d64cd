import { Hdf5Dataset } from '../dataset.ts';
import { beyondLimit, unsupported } from '../errors.ts';
import type { FileParts } from '../file-parts.ts';
import { limits } from '../limits.ts';
import { AttributeSet } from './attribute-set.ts';
import { type Hdf5Link, isGroup, readLinks } from './links.ts';
import { messageOf, messageTypes, type ObjectHeader, readObjectHeader } from './object-header.ts';

/** A named datatype: nothing to read. */
interface Hdf5NamedType {
  readonly kind: 'datatype';
  readonly path: string;
}

type Hdf5Object = Hdf5Group | Hdf5Dataset | Hdf5NamedType;

/** A folder of names. Links into other files are told, and never followed. */
export class Hdf5Group {
  readonly kind = 'group';
  /** `/` for the root. */
  readonly path: string;
  /** Two paths with the same address are one group. */
  readonly address: number;
  readonly attributes: AttributeSet;
  readonly #parts: FileParts;
  readonly #header: ObjectHeader;
  readonly #root: Hdf5Group | null;
  #links: Promise<ReadonlyMap<string, Hdf5Link>> | null = null;

  constructor(parts: FileParts, path: string, header: ObjectHeader, root: Hdf5Group | null) {
    this.path = path;
    this.address = header.address;
    this.attributes = new AttributeSet(parts, path, header);
    this.#parts = parts;
    this.#header = header;
    this.#root = root;
  }

  /** Every name in the group, and what it leads to. */
  links(): Promise<ReadonlyMap<string, Hdf5Link>> {
    this.#links ??= readLinks(this.#parts.bytes, this.#header);
    return this.#links;
  }

  /** What a path from here leads to; null where nothing is there, or it lies in another file. */
  async open(path: string): Promise<Hdf5Object | null> {
    return this.#open(path, { softLinks: 0 });
  }

  /** The dataset at a path; null where there is none. */
  async dataset(path: string): Promise<Hdf5Dataset | null> {
    const found = await this.open(path);
    return found instanceof Hdf5Dataset ? found : null;
  }

  /** The group at a path; null where there is none. */
  async group(path: string): Promise<Hdf5Group | null> {
    const found = await this.open(path);
    return found instanceof Hdf5Group ? found : null;
  }

  async #open(path: string, followed: { softLinks: number }): Promise<Hdf5Object | null> {
    const names = path.split('/').filter((name) => name !== '' && name !== '.');
    const start: Hdf5Group = path.startsWith('/') ? (this.#root ?? this) : this;
    if (names.length > limits.pathNames) {
      throw beyondLimit(`a path with ${names.length} parts`, {
        file: this.#parts.bytes.file,
        place: this.path,
      });
    }
    let at: Hdf5Object | null = start;
    for (const name of names) {
      if (!(at instanceof Hdf5Group)) return null;
      at = await at.#member(name, followed);
    }
    return at;
  }

  async #member(name: string, followed: { softLinks: number }): Promise<Hdf5Object | null> {
    const link = (await this.links()).get(name);
    if (link === undefined || link.kind === 'external' || link.kind === 'other') return null;
    if (link.kind === 'soft') {
      followed.softLinks++;
      return followed.softLinks > limits.softLinks ? null : this.#open(link.target, followed);
    }
    const path = this.path === '/' ? `/${name}` : `${this.path}/${name}`;
    return this.#object(path, await readObjectHeader(this.#parts.bytes, link.address));
  }

  async #object(path: string, header: ObjectHeader): Promise<Hdf5Object> {
    if (isGroup(header)) return new Hdf5Group(this.#parts, path, header, this.#root ?? this);
    if (messageOf(header, messageTypes.layout) !== undefined) {
      return Hdf5Dataset.open(this.#parts, path, header);
    }
    if (messageOf(header, messageTypes.datatype) !== undefined) return { kind: 'datatype', path };
    const place = { file: this.#parts.bytes.file, place: path };
    throw unsupported('an object of unknown type', place, 'inspect it with h5dump');
  }
}
