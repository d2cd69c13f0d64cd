import { AssayError, type JsonValue, messageOf, parseTolerantJson } from '#core';
import type { Finding } from '#core/episode';
import { type ArrayMeta, chunkCount, parseArrayMeta, rowWidth } from './array-meta.ts';
import { ArrayReader, newChunkStats } from './array-reader.ts';
import { checkEnds } from './episode-rows.ts';
import { replayViolation } from './rules.ts';
import type { ChunkStore } from './store.ts';

/** An array of the group `data`. */
export interface DataArray {
  /** Name below `data`. */
  readonly name: string;
  readonly reader: ArrayReader;
  /** Number of chunks that are present. */
  readonly present_chunks: number;
  readonly stored_bytes: number;
}

/** A replay buffer: arrays that share their first dimension, and the ends of its episodes. */
export interface ReplaySet {
  readonly store: ChunkStore;
  /** Sorted by name. */
  readonly arrays: readonly DataArray[];
  /** One past the last row of each episode. */
  readonly ends: Float64Array;
  /** Row count that most arrays have. */
  readonly rows: number;
  readonly findings: readonly Finding[];
}

export const endsKey = 'meta/episode_ends';
const metadataBytes = 1024 * 1024;
const consolidatedBytes = 64 * 1024 * 1024;
const maxEpisodes = 10_000_000;
/** Maximum chunks across one row; no practical layout has more. */
const maxInnerChunks = 4096;

/**
 * Reads the arrays and episode ends of a replay buffer, without their chunks, and returns them with findings; throws
 * `unreadable_input` if episode_ends is missing or unreadable.
 */
export async function readReplaySet(store: ChunkStore): Promise<ReplaySet> {
  const findings: Finding[] = [];
  for (const group of ['.zgroup', 'data/.zgroup', 'meta/.zgroup'])
    if (!store.has(group)) findings.push(missingGroupFinding(store, group));
  const arrays = await readArrays(store, findings);
  const { ends, isInteger } = await readEnds(store);
  if (!isInteger) findings.push(fractionalEndsFinding(store));
  const group = [...store.keysBelow('data')].find((key) => /^[^/]+\/\.zgroup$/.test(key));
  if (group !== undefined)
    findings.push(
      replayViolation(
        'group_among_arrays',
        store.fileOf(`data/${group}`),
        `data/${group} is a group, not an array`,
      ),
    );
  const rows = mostCommonRows(arrays);
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
      findings.push(unreadableArrayFinding(store.fileOf(path), name, messageOf(thrown)));
    }
  }
  for (const [name] of metas) chunks.set(name, { count: 0, bytes: 0 });
  for (const key of keys) {
    const name = findArray(key, metas);
    const present = name === null ? undefined : chunks.get(name);
    if (name === null || present === undefined || !isChunk(key.slice(name.length + 1), metas.get(name)!))
      continue;
    present.count++;
    present.bytes += store.size(`data/${key}`);
  }
  return [...metas]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, meta]) => {
      const inner = meta.shape
        .slice(1)
        .reduce((product, size, d) => product * Math.ceil(size / meta.chunks[d + 1]), 1);
      if (meta.shape.length === 0 || inner > maxInnerChunks || rowWidth(meta) === 0) {
        findings.push(
          unreadableArrayFinding(
            store.fileOf(`data/${name}/.zarray`),
            name,
            `unsupported shape [${meta.shape.join(', ')}] in chunks of [${meta.chunks.join(', ')}]`,
          ),
        );
        return [];
      }
      const { count, bytes } = chunks.get(name)!;
      return [{ name, reader: new ArrayReader(store, meta), present_chunks: count, stored_bytes: bytes }];
    });
}

/** Returns the array that a key belongs to: its folder, or a parent if chunks are in nested folders; `null` if none. */
function findArray(key: string, metas: ReadonlyMap<string, ArrayMeta>): string | null {
  for (let end = key.lastIndexOf('/'); end > 0; end = key.lastIndexOf('/', end - 1)) {
    const name = key.slice(0, end);
    if (metas.has(name)) return name;
  }
  return null;
}

/** Returns true if the name is that of a chunk inside the array's shape. */
function isChunk(name: string, { shape, chunks, separator }: ArrayMeta): boolean {
  const index = name.split(separator);
  if (index.length !== shape.length) return false;
  return index.every((part, d) => /^\d{1,15}$/.test(part) && Number(part) * chunks[d] < shape[d]);
}

function fractionalEndsFinding(store: ChunkStore): Finding {
  const path = store.fileOf(`${endsKey}/.zarray`);
  return replayViolation('episode_ends_fractional', path, `${endsKey} is stored as floats`);
}

async function readEnds(store: ChunkStore): Promise<{ ends: Float64Array; isInteger: boolean }> {
  const path = `${endsKey}/.zarray`;
  if (!store.has(path))
    throw unreadableError(store.fileOf(path), `${endsKey} is missing, so the episode boundaries are unknown`);
  let meta: ArrayMeta;
  try {
    meta = parseArrayMeta(endsKey, await readJson(store, path));
  } catch (thrown) {
    throw unreadableError(store.fileOf(path), messageOf(thrown));
  }
  if (meta.type === null || meta.shape.length !== 1 || meta.shape[0] > maxEpisodes)
    throw unreadableError(
      store.fileOf(path),
      `${endsKey} has shape [${meta.shape.join(', ')}] and dtype ${meta.dtype} instead of one number per episode`,
    );
  const stats = newChunkStats();
  const ends = await new ArrayReader(store, meta).readNumbers(0, meta.shape[0], stats);
  const damaged = stats.damaged[0];
  if (damaged !== undefined || stats.unread !== null || stats.missing > 0) {
    const why =
      damaged !== undefined
        ? `${damaged.key}: ${damaged.why}`
        : stats.unread === null
          ? `${stats.missing} of its chunks are missing`
          : `${stats.unread} is not supported`;
    throw unreadableError(store.fileOf(path), `cannot read ${endsKey}: ${why}`);
  }
  return { ends: Float64Array.from(ends), isInteger: !meta.type.float };
}

function mostCommonRows(arrays: readonly DataArray[]): number {
  const votes = new Map<number, number>();
  for (const { reader } of arrays) votes.set(reader.rows, (votes.get(reader.rows) ?? 0) + 1);
  return [...votes].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0] ?? 0;
}

/** Reports a `.zmetadata` that differs from the arrays: readers that open the set by it see only what it lists. */
async function consolidatedFindings(store: ChunkStore, arrays: readonly DataArray[]): Promise<Finding[]> {
  if (!store.has('.zmetadata')) return [];
  const path = store.fileOf('.zmetadata');
  const staleFinding = (message: string, evidence: Finding['evidence']): Finding => ({
    ...{ code: 'zmetadata_stale', severity: 'error', path, message, evidence: evidence ?? {} },
    advice: 'rewrite it (zarr.consolidate_metadata), or delete it',
  });
  const value = await readJson(store, '.zmetadata', consolidatedBytes).catch(() => null);
  const listed = typeof value === 'object' && value !== null && 'metadata' in value ? value.metadata : null;
  if (typeof listed !== 'object' || listed === null)
    return [staleFinding('.zmetadata is not valid consolidated metadata', {})];
  const entries = listed as Readonly<Record<string, JsonValue>>;
  const hidden = arrays
    .filter(({ name }) => entries[`data/${name}/.zarray`] === undefined)
    .map(({ name }) => name);
  const missing = Object.keys(entries).filter((key) => key.endsWith('/.zarray') && !store.has(key));
  const changed = arrays.filter(({ name, reader }) => {
    const consolidated = entries[`data/${name}/.zarray`];
    const shape =
      typeof consolidated === 'object' && consolidated !== null && 'shape' in consolidated
        ? consolidated.shape
        : null;
    return consolidated !== undefined && JSON.stringify(shape) !== JSON.stringify(reader.meta.shape);
  });
  return [
    ...(hidden.length > 0
      ? [
          staleFinding(
            `.zmetadata does not list ${hidden.join(', ')}, so readers that use it do not see these arrays`,
            { hidden },
          ),
        ]
      : []),
    ...(missing.length > 0
      ? [
          staleFinding(`.zmetadata lists ${missing.slice(0, 4).join(', ')}, which do not exist`, {
            gone: missing,
          }),
        ]
      : []),
    ...(changed.length > 0
      ? [
          staleFinding(
            `.zmetadata lists a different shape for ${changed.map(({ name }) => name).join(', ')} than the arrays have`,
            {},
          ),
        ]
      : []),
  ];
}

/** Reports missing chunks, which zarr readers silently replace by the fill value (zarr specification). */
function chunkFindings(store: ChunkStore, { name, reader, present_chunks }: DataArray): Finding[] {
  const expected = chunkCount(reader.meta);
  if (present_chunks >= expected) return [];
  return [
    {
      code: 'set_chunks_missing',
      severity: 'error',
      path: store.fileOf(`data/${name}/.zarray`),
      message: `${expected - present_chunks} of the ${expected} chunks of ${name} are missing, and every reader returns ${reader.meta.fill} for their values`,
      advice:
        'copy the dataset again; only a writer configured to skip empty chunks leaves such gaps on purpose',
      evidence: { array: name, expected, present: present_chunks },
    },
  ];
}

function lengthFindings(store: ChunkStore, arrays: readonly DataArray[], rows: number): Finding[] {
  return arrays
    .filter(({ reader }) => reader.rows !== rows)
    .map(({ name, reader }) =>
      replayViolation(
        'array_length_differs',
        store.fileOf(`data/${name}/.zarray`),
        `${name} has ${reader.rows} rows, but the other arrays have ${rows}: diffusion_policy fails to open the dataset`,
        { array: name, found: reader.rows, usual: rows },
      ),
    );
}

function missingGroupFinding(store: ChunkStore, group: string): Finding {
  const message = `${group} is missing; without it, zarr cannot open the dataset`;
  return replayViolation('zgroup_missing', store.fileOf(group), message);
}

function unreadableArrayFinding(path: string, name: string, why: string): Finding {
  return {
    code: 'array_unreadable',
    severity: 'error',
    path,
    message: `cannot read the array ${name}: ${why}`,
    advice: 'write the array again with zarr 2',
  };
}

async function readJson(store: ChunkStore, key: string, maxBytes = metadataBytes): Promise<JsonValue> {
  const bytes = await store.get(key, maxBytes);
  if (bytes === null) throw new RangeError(`${key} is missing`);
  return parseTolerantJson(new TextDecoder().decode(bytes), key).value;
}

function unreadableError(path: string, message: string): AssayError {
  return new AssayError('unreadable_input', message, {
    path,
    advice: 'copy the dataset again, or write it with zarr 2 like diffusion_policy',
  });
}
