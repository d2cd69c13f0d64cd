import { AssayError } from '#core';
import type { Episode, Finding } from '#core/episode';
import { createFileHasher, hashScope, type SourceTree } from '#io/sources';
import type { Dataset, ReadOptions, Recognition, Unreadable, WorkUnit } from '../shared/reader.ts';
import { indexSampleData } from './data-index.ts';
import { type LargeTables, readLargeTables } from './large-tables.ts';
import { readScene, type Version } from './read-scene.ts';
import { nuScenesBreach } from './rules.ts';
import { readSmallTables } from './small-tables.ts';
import { tableNames, versionsOf } from './versions.ts';

/** A scene a work unit, of every version beside the pictures. */
export async function openNuScenes(tree: SourceTree, recognition: Recognition): Promise<Dataset> {
  const versions: Version[] = [];
  for (const name of versionsOf(tree)) versions.push(await openVersion(tree, name, sceneCount(versions)));
  if (sceneCount(versions) === 0)
    throw new AssayError('unreadable_input', 'no table lists a scene', {
      advice: 'unpack all tables of one version together',
    });
  // The tables are hashed once for all scenes.
  const hasher = createFileHasher(tree);

  async function* read(unit: WorkUnit, options: ReadOptions): AsyncGenerator<Episode | Unreadable> {
    options.signal?.throwIfAborted();
    const version = versions.findLast(({ first }) => first <= unit.first_index)!;
    const context = { tree, hasher, scope: hashScope(options) };
    yield await readScene(version, unit.first_index - version.first, context);
    options.onBytes?.(unit.bytes);
  }

  return {
    facts: {
      format: 'nuscenes',
      version: versions.map(({ name }) => name).join(', '),
      declared_episodes: sceneCount(versions),
      declared_frames: null,
      declared_rate_hz: null,
      robot: null,
      declared_cameras: camerasOf(versions),
    },
    recognition,
    findings: versions.flatMap((version) => findingsOf(tree, version)),
    units: versions.flatMap(unitsOf),
    read,
    close: async () => {},
  };
}

const sceneCount = (versions: readonly Version[]): number =>
  versions.reduce((sum, { tables }) => sum + tables.scenes.length, 0);

async function openVersion(tree: SourceTree, name: string, first: number): Promise<Version> {
  const tables = await readSmallTables(tree, name);
  const data = await indexSampleData(tree, name, tables);
  let large: Promise<LargeTables> | null = null;
  return {
    name,
    tables,
    data,
    first,
    large: () => {
      large ??= readLargeTables(tree, name, tables);
      return large;
    },
  };
}

function unitsOf({ name, tables, data, first }: Version): WorkUnit[] {
  return tables.scenes.map((scene, i) => {
    const { records, files } = data.bytes(i);
    return {
      id: `${name}/${scene.name}`,
      expected_episodes: 1,
      first_index: first + i,
      bytes: records + files,
      look_bytes: records,
      selector: null,
    };
  });
}

function camerasOf(versions: readonly Version[]): string[] {
  const cameras = new Set<string>();
  for (const { tables } of versions)
    for (const { channel, modality } of tables.mounts.values())
      if (modality === 'camera') cameras.add(channel);
  return [...cameras].sort();
}

function findingsOf(tree: SourceTree, { name, tables, data }: Version): Finding[] {
  const absent = tableNames.filter((table) => !tree.has(`${name}/${table}.json`));
  const findings = [...tables.findings, ...data.findings];
  if (absent.length === 0) return findings;
  const message = `${name} lacks ${absent.length} of ${tableNames.length} tables: ${absent.join(', ')}`;
  return [...findings, nuScenesBreach('tables_missing', name, message)];
}
