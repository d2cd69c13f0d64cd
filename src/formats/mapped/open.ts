import { AssayError } from '#core';
import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { computeLookBytes } from '../shared/episode-cuts.ts';
import type { Dataset, Recognition, WorkUnit } from '../shared/reader.ts';
import { type Mapping, matchEpisodes, parseMapping } from './mapping.ts';
import { mappingFiles } from './mapping-files.ts';
import { readTable, type TableFile } from './read-table.ts';

/** Maximum files and bytes per work unit: several small tables or one large one. */
const maxUnitFiles = 32;
const maxUnitBytes = 64 * 1024 * 1024;

/**
 * Opens the tables that a mapping describes as a dataset.
 * @throws AssayError `unreadable_input` if the mapping is invalid or names no existing table
 */
export async function openMapped(tree: SourceTree, recognition: Recognition): Promise<Dataset> {
  const mapping_path = mappingFiles.find((name) => tree.has(name)) ?? mappingFiles[0];
  const mapping = parseMapping(await tree.text(mapping_path, 1024 * 1024), mapping_path);
  const { files, findings } = findTables(tree, mapping, mapping_path);
  const set = { tree, mapping, mapping_path };
  return {
    facts: {
      format: 'mapped',
      version: null,
      declared_episodes: null,
      declared_frames: null,
      declared_rate_hz: mapping.rate_hz ?? null,
      robot: mapping.robot ?? null,
      declared_cameras: mapping.videos.map(({ id }) => id),
    },
    recognition,
    findings,
    units: buildUnits(tree, files),
    async *read(unit, options) {
      for (const file of files.slice(unit.first_index, unit.first_index + unit.expected_episodes))
        yield* readTable(set, file, options);
    },
    close: async () => {},
  };
}

function findTables(
  tree: SourceTree,
  { episodes }: Mapping,
  mapping_path: string,
): { files: TableFile[]; findings: Finding[] } {
  if ('file' in episodes) {
    const { file, column } = episodes;
    const found = tree.files.filter(({ path }) => path === file);
    if (found.length === 0) throw noTablesError(tree, mapping_path, file);
    const episode = column === undefined ? file.replace(/\.[^./]*$/, '') : null;
    return { files: [{ path: file, episode, first_index: 0 }], findings: [] };
  }
  const findings: Finding[] = [];
  const files: TableFile[] = [];
  for (const [episode, paths] of matchEpisodes(tree, episodes.files)) {
    if (paths.length > 1) findings.push(ambiguousFinding(episode, paths));
    files.push({ path: paths[0], episode, first_index: files.length });
  }
  if (files.length === 0) throw noTablesError(tree, mapping_path, episodes.files);
  return { files, findings };
}

function noTablesError({ files }: SourceTree, path: string, pattern: string): AssayError {
  if (files.length === 1)
    return new AssayError('unreadable_input', `${path} is a mapping without its tables`, {
      path,
      advice: `pass the folder that contains both the mapping and ${pattern}`,
    });
  return new AssayError('unreadable_input', `${path} expects tables at ${pattern}, but no file matches`, {
    path,
    place: '/episodes',
    advice: 'correct episodes in the mapping; paths are relative to its folder',
  });
}

function ambiguousFinding(episode: string, paths: readonly string[]): Finding {
  return {
    code: 'episode_ambiguous',
    severity: 'warning',
    path: paths[1],
    message: `${paths.length} tables match episode ${episode}; only ${paths[0]} was read`,
    advice: 'use a more specific pattern in the mapping',
  };
}

function buildUnits(tree: SourceTree, files: readonly TableFile[]): WorkUnit[] {
  const fileBytes = ({ path }: TableFile) => tree.entry(path)?.bytes ?? 0;
  const units: WorkUnit[] = [];
  for (let first = 0; first < files.length; ) {
    let bytes = fileBytes(files[first]);
    let end = first + 1;
    while (end < files.length && end - first < maxUnitFiles && bytes + fileBytes(files[end]) <= maxUnitBytes)
      bytes += fileBytes(files[end++]);
    units.push({
      id: `tables ${first}`,
      expected_episodes: end - first,
      first_index: first,
      bytes,
      look_bytes: computeLookBytes(bytes),
      selector: null,
    });
    first = end;
  }
  return units;
}
