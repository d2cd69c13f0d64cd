import { AssayError, type JsonValue, messageOf, parseTolerantJson } from '#core';
import type { Finding } from '#core/episode';
import { replayBreach } from '../rules.ts';
import { type ArrayMeta, chunkCount, parseArrayMeta, rowWidth } from './array-meta.ts';
import { ArrayReader, chunkNotes } from './array-reader.ts';
import type { ChunkStore } from './chunk-store.ts';
import { checkEnds } from './episode-ends.ts';

/** An array of `data`. */
export interface DataArray {
  /** Its name below `data`. */
  readonly name: string;
  readonly reader: ArrayReader;
  /** Chunks that are there, of those it must have. */
  readonly present_chunks: number;
  readonly stored_bytes: number;
}

/** A replay buffer: arrays that share their first dimension, and where its episodes end. */
export interface ReplaySet {
  readonly store: ChunkStore;
  /** In order of their names. */
  readonly arrays: readonly DataArray[];
  /** Past the last row of each episode. */
  readonly ends: Float64Array;
  /** Rows that most arrays have. */
  readonly rows: number;
  readonly findings: readonly Finding[];
}

export const endsKey = 'meta/episode_ends';
const metadataBytes = 1024 * 1024;
const consolidatedBytes = 64 * 1024 * 1024;
const mostEpisodes = 10_000_000;
/** Chunks side by side in one row of chunks; more are no layout that anybody uses. */
const mostInnerChunks = 4096;

/** Reads what a replay buffer says of itself. Throws `unreadable_input` where no episode can be told. */
export async function readReplaySet(store: ChunkStore): Promise<ReplaySet> {
  const findings: Finding[] = [];
  for (const group of ['.zgroup', 'data/.zgroup', 'meta/.zgroup'])
    if (!store.has(group)) findings.push(groupMissing(store, group));
  const arrays = await readArrays(store, findings);
  const { ends, isInteger } = await readEnds(store);
  if (!isInteger) findings.push(fractional(store));
  const group = [...store.keysBelow('data')].find((key) => /^[^/]+\/\.zgroup$/.test(key));
  if (group !== undefined)
    findings.push(
      replayBreach('group_among_arrays', store.fileOf(`data/${group}`), `data/${group} is a group, no array`),
    );
  const rows = usualRows(arrays);
  findings.push(...(await consolidatedFindings(store, arrays)));
  findings.push(...arrays.flatMap((array) => chunkFindings(store, array)));
  findings.push(
    ...lengthFindings(store, arrays, rows),
    ...checkEnds(ends, rows, store.fileOf(`${endsKey}/.zarray`)),
  );
  return { store, arrays, ends, rows, findings };
}

async function readArrays(store: ChunkStore, findings: Finding[]): Promise<DataArray[]> {
  const metas = new Map<string, ArrayMeta>();
  const chunks = new Map<string, { count: number; bytes: number }>();
  const keys = [...store.keysBelow('data')];
  for (const key of keys) {
    if (!key.endsWith('/.zarray')) continue;
    const name = key.slice(0, -'/.zarray'.length);
    const path = `data/${key}`;
    try {
      metas.set(name, parseArrayMeta(`data/${name}`, await readJson(store, path)));
    } catch (thrown) {
      findings.push(arrayUnreadable(store.fileOf(path), name, messageOf(thrown)));
    }
  }
  for (const [name] of metas) chunks.set(name, { count: 0, bytes: 0 });
  for (const key of keys) {
    const name = arrayOf(key, metas);
    const own = name === null ? undefined : chunks.get(name);
    if (name === null || own === undefined || !isChunk(key.slice(name.length + 1), metas.get(name)!))
      continue;
    own.count++;
    own.bytes += store.size(`data/${key}`);
  }
  return [...metas]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, meta]) => {
      const inner = meta.shape
        .slice(1)
        .reduce((product, size, d) => product * Math.ceil(size / meta.chunks[d + 1]), 1);
      if (meta.shape.length === 0 || inner > mostInnerChunks || rowWidth(meta) === 0) {
        findings.push(
          arrayUnreadable(
            store.fileOf(`data/${name}/.zarray`),
            name,
            `its shape is [${meta.shape.join(', ')}] in chunks of [${meta.chunks.join(', ')}]`,
          ),
        );
        return [];
      }
      const { count, bytes } = chunks.get(name)!;
      return [{ name, reader: new ArrayReader(store, meta), present_chunks: count, stored_bytes: bytes }];
    });
}

/** The array that a key lies in: its folder, or one above where chunks have folders of their own. */
function arrayOf(key: string, metas: ReadonlyMap<string, ArrayMeta>): string | null {
  for (let end = key.lastIndexOf('/'); end > 0; end = key.lastIndexOf('/', end - 1)) {
    const name = key.slice(0, end);
    if (metas.has(name)) return name;
  }
  return null;
}

/** Whether a name is that of a chunk within the array. */
function isChunk(name: string, { shape, chunks, separator }: ArrayMeta): boolean {
  const index = name.split(separator);
  if (index.length !== shape.length) return false;
  return index.every((part, d) => /^\d{1,15}$/.test(part) && Number(part) * chunks[d] < shape[d]);
}

function fractional(store: ChunkStore): Finding {
  const path = store.fileOf(`${endsKey}/.zarray`);
  return replayBreach('episode_ends_fractional', path, `${endsKey} is stored as floats`);
}

async function readEnds(store: ChunkStore): Promise<{ ends: Float64Array; isInteger: boolean }> {
  const path = `${endsKey}/.zarray`;
  if (!store.has(path))
    throw unreadable(
      store.fileOf(path),
      `there is no ${endsKey}, so that no episode can be told from the next`,
    );
  let meta: ArrayMeta;
  try {
    meta = parseArrayMeta(endsKey, await readJson(store, path));
  } catch (thrown) {
    throw unreadable(store.fileOf(path), messageOf(thrown));
  }
  if (meta.type === null || meta.shape.length !== 1 || meta.shape[0] > mostEpisodes)
    throw unreadable(
      store.fileOf(path),
      `${endsKey} is [${meta.shape.join(', ')}] of ${meta.dtype}, not one number an episode`,
    );
  const notes = chunkNotes();
  const ends = await new ArrayReader(store, meta).numbers(0, meta.shape[0], notes);
  const bad = notes.damaged[0];
  if (bad !== undefined || notes.unread !== null || notes.missing > 0) {
    const why =
      bad !== undefined
        ? `${bad.key}: ${bad.why}`
        : (notes.unread ?? `${notes.missing} of its chunks are not there`);
    throw unreadable(store.fileOf(path), `${endsKey} cannot be read: ${why}`);
  }
  return { ends: Float64Array.from(ends), isInteger: !meta.type.float };
}

function usualRows(arrays: readonly DataArray[]): number {
  const votes = new Map<number, number>();
  for (const { reader } of arrays) votes.set(reader.rows, (votes.get(reader.rows) ?? 0) + 1);
  return [...votes].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0] ?? 0;
}

/** `.zmetadata` hides what it does not name from whoever opens the set by it. */
async function consolidatedFindings(store: ChunkStore, arrays: readonly DataArray[]): Promise<Finding[]> {
  if (!store.has('.zmetadata')) return [];
  const path = store.fileOf('.zmetadata');
  const stale = (message: string, evidence: Finding['evidence']): Finding => ({
    ...{ code: 'zmetadata_stale', severity: 'error', path, message, evidence: evidence ?? {} },
    advice: 'write it anew (zarr.consolidate_metadata), or delete it',
  });
  const value = await readJson(store, '.zmetadata', consolidatedBytes).catch(() => null);
  const listed = typeof value === 'object' && value !== null && 'metadata' in value ? value.metadata : null;
  if (typeof listed !== 'object' || listed === null)
    return [stale('.zmetadata is no consolidated metadata', {})];
  const named = listed as Readonly<Record<string, JsonValue>>;
  const hidden = arrays
    .filter(({ name }) => named[`data/${name}/.zarray`] === undefined)
    .map(({ name }) => name);
  const gone = Object.keys(named).filter((key) => key.endsWith('/.zarray') && !store.has(key));
  const changed = arrays.filter(({ name, reader }) => {
    const own = named[`data/${name}/.zarray`];
    const shape = typeof own === 'object' && own !== null && 'shape' in own ? own.shape : null;
    return own !== undefined && JSON.stringify(shape) !== JSON.stringify(reader.meta.shape);
  });
  return [
    ...(hidden.length > 0
      ? [
          stale(
            `.zmetadata does not name ${hidden.join(', ')}: whoever opens the set by it does not see them`,
            { hidden },
          ),
        ]
      : []),
    ...(gone.length > 0
      ? [stale(`.zmetadata names ${gone.slice(0, 4).join(', ')}, which are not there`, { gone })]
      : []),
    ...(changed.length > 0
      ? [
          stale(
            `.zmetadata gives ${changed.map(({ name }) => name).join(', ')} another shape than the arrays have`,
            {},
          ),
        ]
      : []),
  ];
}

/** A chunk that is not there reads as the fill value, without an error (zarr specification): nobody else will tell. */
function chunkFindings(store: ChunkStore, { name, reader, present_chunks }: DataArray): Finding[] {
  const expected = chunkCount(reader.meta);
  if (present_chunks >= expected) return [];
  return [
    {
      code: 'set_chunks_missing',
      severity: 'error',
      path: store.fileOf(`data/${name}/.zarray`),
      message: `${expected - present_chunks} of the ${expected} chunks of ${name} are not there, and every reader takes them for the value ${reader.meta.fill}`,
      advice: 'copy the set again; only a writer told to leave out empty chunks makes such holes on purpose',
      evidence: { array: name, expected, present: present_chunks },
    },
  ];
}

function lengthFindings(store: ChunkStore, arrays: readonly DataArray[], rows: number): Finding[] {
  return arrays
    .filter(({ reader }) => reader.rows !== rows)
    .map(({ name, reader }) =>
      replayBreach(
        'array_length_differs',
        store.fileOf(`data/${name}/.zarray`),
        `${name} has ${reader.rows} rows where the other arrays have ${rows}: the library refuses the set`,
        { array: name, found: reader.rows, usual: rows },
      ),
    );
}

function groupMissing(store: ChunkStore, group: string): Finding {
  const message = `there is no ${group}, without which zarr does not open the set`;
  return replayBreach('zgroup_missing', store.fileOf(group), message);
}

function arrayUnreadable(path: string, name: string, why: string): Finding {
  return {
    code: 'array_unreadable',
    severity: 'error',
    path,
    message: `the array ${name} cannot be read: ${why}`,
    advice: 'write the array again with zarr 2',
  };
}

async function readJson(store: ChunkStore, key: string, most = metadataBytes): Promise<JsonValue> {
  const bytes = await store.get(key, most);
  if (bytes === null) throw new RangeError(`there is no ${key}`);
  return parseTolerantJson(new TextDecoder().decode(bytes), key).value;
}

function unreadable(path: string, message: string): AssayError {
  return new AssayError('unreadable_input', message, {
    path,
    advice: 'copy the set again, or write it with zarr 2 as diffusion_policy does',
  });
}
