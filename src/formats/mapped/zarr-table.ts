import type { Hdf5Value } from '@assay/hdf5';
import { AssayError, type JsonObject, type JsonValue, messageOf, parseTolerantJson } from '#core';
import type { SourceTree } from '#io/sources';
import { NpyArray } from '../shared/arrays/npy-array.ts';
import type { NpyType } from '../shared/arrays/npy-header.ts';
import type { ByteAccess } from '../shared/arrays/zip-member.ts';
import { type ArrayMeta, parseArrayMeta, parseVersion3Meta } from '../zarr/array-meta.ts';
import { ArrayReader } from '../zarr/array-reader.ts';
import { findUnsupportedCodec } from '../zarr/codecs.ts';
import { type ChunkStore, folderStore } from '../zarr/store.ts';
import { type ArraySource, arrayTable } from './array-table.ts';
import type { Table } from './table.ts';

/** Maximum number of arrays of a table, and bytes of their metadata. */
const maxArrays = 10_000;
const maxMetaBytes = 1024 * 1024;
/** Maximum chunks across one row; no practical layout has more. */
const maxInnerChunks = 4096;

/** Metadata files of a zarr: of an array, and those that a group may have. */
const arrayFile = /(^|\/)(\.zarray|zarr\.json)$/;
const storeFile = /(^|\/)(\.zarray|\.zgroup|zarr\.json)$/;

/** Returns the path of a store as the beginning of the paths of its files. */
const prefixOf = (folder: string): string => (folder === '.' || folder === '' ? '' : `${folder}/`);

/** True if a folder is a zarr of version 2 or 3: a group or a single array. */
export function isZarrFolder(tree: SourceTree, folder: string): boolean {
  return ['.zgroup', '.zarray', 'zarr.json'].some((name) => tree.has(`${prefixOf(folder)}${name}`));
}

/** Returns the folders that are a zarr and lie in no other one; `.` for the top folder. */
export function findZarrFolders(tree: SourceTree): string[] {
  const marked = tree.files.flatMap(({ path }) => {
    const name = storeFile.exec(path)?.[0];
    return name === undefined ? [] : [path.slice(0, path.length - name.length) || '.'];
  });
  const folders = new Set(marked);
  const isNested = (folder: string) => {
    if (folder !== '.' && folders.has('.')) return true;
    for (let end = folder.lastIndexOf('/'); end > 0; end = folder.lastIndexOf('/', end - 1))
      if (folders.has(folder.slice(0, end))) return true;
    return false;
  };
  return [...folders].filter((folder) => !isNested(folder));
}

/** An array of a zarr, by its metadata file. */
interface FoundArray {
  readonly key: string;
  readonly file: string;
  /** Bytes of its files, and their number. */
  bytes: number;
}

/** Finds the arrays below a group by their metadata, with the bytes of their chunks. */
function listArrays(tree: SourceTree, folder: string, group: string | null): Map<string, FoundArray> {
  const prefix = prefixOf(folder);
  const below = group === null ? prefix : `${prefix}${group}/`;
  const files = below === '' ? tree.files : tree.subtree(below.slice(0, -1)).files;
  const arrays = new Map<string, FoundArray>();
  for (const { path } of files) {
    if (!arrayFile.test(path) || arrays.size >= maxArrays) continue;
    const name = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    const key = [group ?? '', name].filter((part) => part !== '').join('/');
    arrays.set(name, { key, file: path.slice(name === '' ? 0 : name.length + 1), bytes: 0 });
  }
  for (const { path, bytes } of files)
    for (let end = path.lastIndexOf('/'); end >= 0; end = end === 0 ? -1 : path.lastIndexOf('/', end - 1)) {
      const owner = arrays.get(path.slice(0, end));
      if (owner !== undefined) owner.bytes += bytes;
    }
  return arrays;
}

/** Returns the paths of all arrays of a zarr, without its groups. */
export function listZarrArrays(tree: SourceTree, folder: string): string[] {
  const names = [...listArrays(tree, folder, null).keys()];
  // Groups of version 3 have the same metadata file as arrays; unlike these, they contain others.
  const parents = new Set<string>(['']);
  for (const name of names)
    for (let end = name.lastIndexOf('/'); end > 0; end = name.lastIndexOf('/', end - 1))
      parents.add(name.slice(0, end));
  return names.filter((name) => !parents.has(name));
}

/**
 * Opens a zarr folder, or a `group` of it, as a table: its arrays with one row per sample are the columns, named by
 * their paths; throws `unreadable_input` if there are none.
 */
export async function openZarrTable(tree: SourceTree, folder: string, group: string | null): Promise<Table> {
  const store = folderStore(tree, prefixOf(folder));
  const source = { arrays: new Map<string, NpyArray>(), unread: new Map<string, AssayError>() };
  let bytes = 0;
  for (const [name, found] of listArrays(tree, folder, group)) {
    bytes += found.bytes;
    try {
      const array = await openArray(store, found, folder);
      if (array !== null) source.arrays.set(name === '' ? 'data' : name, array);
    } catch (thrown) {
      if (!(thrown instanceof RangeError || thrown instanceof AssayError)) throw thrown;
      source.unread.set(name, unreadableError(folder, found.key, messageOf(thrown)));
    }
  }
  if (source.arrays.size === 0 && source.unread.size === 0)
    throw new AssayError(
      'unreadable_input',
      `${folder} has no arrays${group === null ? '' : ` below ${group}`}`,
      {
        path: folder,
        advice: group === null ? 'copy the zarr again' : 'correct episodes.group in the mapping',
      },
    );
  const prefix = prefixOf(folder);
  const below = group === null ? prefix : `${prefix}${group}/`;
  // Attributes of the whole zarr as well, which values are taken from.
  const isUsed = (path: string) =>
    path.startsWith(below) || path === `${prefix}.zattrs` || path === `${prefix}zarr.json`;
  const files = tree.files.map(({ path }) => path).filter(isUsed);
  return arrayTable({
    ...{ path: folder, bytes, ...source, findings: [], files },
    attributes: readAttributes(store, group),
    close: async () => {},
  });
}

/** Opens one array of a zarr by its path; `null` if there is none or it cannot be read. */
export async function openZarrArray(
  tree: SourceTree,
  folder: string,
  key: string,
): Promise<{ readonly array: NpyArray; close(): Promise<void> } | null> {
  const store = folderStore(tree, prefixOf(folder));
  const file = ['.zarray', 'zarr.json'].find((name) => store.has(`${key}/${name}`));
  if (file === undefined) return null;
  try {
    const array = await openArray(store, { key, file, bytes: 0 }, folder);
    return array === null ? null : { array, close: async () => {} };
  } catch {
    return null;
  }
}

/**
 * Opens an array; `null` for a group of version 3.
 * @throws RangeError or AssayError with the reason if it cannot be read
 */
async function openArray(
  store: ChunkStore,
  { key, file, bytes }: FoundArray,
  folder: string,
): Promise<NpyArray | null> {
  const value = await readJson(store, key === '' ? file : `${key}/${file}`);
  if (file === 'zarr.json' && isObject(value) && value.node_type === 'group') return null;
  const declared = file === 'zarr.json' ? parseVersion3Meta(key, value) : parseArrayMeta(key, value);
  // A scalar has one chunk, which has a number in version 2 only.
  const isScalar = declared.shape.length === 0;
  if (isScalar && file === 'zarr.json')
    throw new RangeError('arrays without dimensions are not read in zarr 3');
  const meta = isScalar ? { ...declared, shape: [1], chunks: [1] } : declared;
  const inner = meta.shape
    .slice(1)
    .reduce((count, size, d) => count * Math.ceil(size / meta.chunks[d + 1]), 1);
  if (inner > maxInnerChunks) throw new RangeError(`a row has ${inner} chunks`);
  const type = arrayType(meta);
  const codec = findUnsupportedCodec(meta);
  if (type === null || codec !== null)
    throw new RangeError(type === null ? `unsupported dtype ${meta.dtype}` : `unsupported codec: ${codec}`);
  const count = meta.shape.reduce((product, size) => product * size, 1);
  const header = { type, shape: declared.shape, column_major: false, count, offset: 0 };
  const label = `${folder}: ${key}`;
  return new NpyArray(
    key,
    label,
    header,
    chunkBytes(new ArrayReader(store, meta), bytes, label),
    meta.chunks[0],
  );
}

/** Returns the element type of an array as NumPy's; `null` if its elements are not read. */
function arrayType({ type, dtype, item_bytes }: ArrayMeta): NpyType | null {
  if (type !== null) {
    const kind = type.name[0];
    return kind === 'f' || kind === 'i' || kind === 'u' || kind === 'b'
      ? { kind, bytes: type.bytes, little_endian: type.little_endian }
      : null;
  }
  const kind = /^[<>|]([SU])\d+$/.exec(dtype)?.[1];
  return kind === 'S' || kind === 'U' ? { kind, bytes: item_bytes, little_endian: dtype[0] !== '>' } : null;
}

/** Returns the elements of an array in row order as bytes, which are read by whole rows. */
function chunkBytes(reader: ArrayReader, stored: number, label: string): ByteAccess {
  const rowBytes = reader.width * reader.meta.item_bytes;
  return {
    ...{ size: reader.rows * rowBytes, stored, isRandom: true },
    async read(position, length) {
      if (rowBytes === 0) return Buffer.alloc(0);
      const rows = [position / rowBytes, (position + length) / rowBytes] as const;
      try {
        return await reader.readElements(...rows);
      } catch (thrown) {
        if (!(thrown instanceof RangeError)) throw thrown;
        throw new AssayError('unreadable_input', `${label}: ${thrown.message}`, {
          path: label,
          advice: 'copy the zarr again from its source',
        });
      }
    },
    close: () => {},
  };
}

/** Returns the attributes of a group (`@name`), of the zarr (`/@name`) and of other groups and arrays by path. */
function readAttributes(store: ChunkStore, group: string | null): NonNullable<ArraySource['attributes']> {
  const load = async (owner: string): Promise<JsonObject> => {
    const base = owner === '' ? '' : `${owner}/`;
    for (const name of ['.zattrs', 'zarr.json']) {
      const value = store.has(base + name) ? await readJson(store, base + name).catch(() => null) : null;
      const found = name === '.zattrs' || !isObject(value) ? value : (value.attributes ?? null);
      if (isObject(found)) return found;
    }
    return {};
  };
  return {
    async names() {
      const top = Object.keys(await load(group ?? '')).map((name) => `@${name}`);
      const root = group === null ? [] : Object.keys(await load('')).map((name) => `/@${name}`);
      return [...top, ...root];
    },
    async get(path) {
      const at = path.lastIndexOf('@');
      const owner = path.slice(0, at);
      const place = owner.startsWith('/') ? owner.slice(1) : [group, owner].filter((part) => part).join('/');
      const attributes = await load(place.replace(/\/$/, ''));
      return Object.hasOwn(attributes, path.slice(at + 1)) ? toValue(attributes[path.slice(at + 1)]) : null;
    },
  };
}

function toValue(value: JsonValue): Hdf5Value | null {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return Array.isArray(value) && value.length === 1 ? toValue(value[0]) : null;
}

async function readJson(store: ChunkStore, key: string): Promise<JsonValue> {
  const bytes = await store.get(key, maxMetaBytes);
  if (bytes === null) throw new RangeError(`${key} is missing`);
  return parseTolerantJson(bytes, key).value;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unreadableError(folder: string, key: string, why: string): AssayError {
  return new AssayError('unreadable_input', `${folder}: ${key}: ${why}`, {
    path: folder,
    advice: 'write it with numbers or texts of fixed length and one of blosc, zlib, gzip, zstd and lz4',
  });
}
