import type { Episode, Finding } from '#core/episode';
import { createFileHasher, hashScope, type SourceTree } from '#io/sources';
import type { Dataset, ReadOptions, Recognition, Unreadable, WorkUnit } from '../shared/reader.ts';
import { controlRate } from './clocks.ts';
import { type EpisodeFolder, findEpisodeFolders } from './layout.ts';
import { mounts } from './metadata.ts';
import { episodeId, readEpisode } from './read-episode.ts';

/**
 * Opens a DROID raw folder as a dataset with one work unit per episode folder; unreliable extrinsics and files that are
 * not read become findings.
 */
export function openDroid(tree: SourceTree, recognition: Recognition): Dataset {
  const folders = findEpisodeFolders(tree);
  return {
    facts: {
      format: 'droid',
      version: null,
      declared_episodes: null,
      declared_frames: null,
      declared_rate_hz: controlRate.hz,
      robot: 'Franka Panda',
      declared_cameras: mounts.map((mount) => `camera/${mount}`),
    },
    recognition,
    findings: [...calibrationFindings(folders), ...unreadFindings(folders)],
    units: folders.map(toWorkUnit),
    read: (unit, options) => readUnit(tree, folders[unit.first_index], unit, options),
    close: async () => {},
  };
}

function toWorkUnit(folder: EpisodeFolder, index: number): WorkUnit {
  return {
    id: episodeId(folder),
    expected_episodes: 1,
    first_index: index,
    bytes: folder.bytes,
    look_bytes: folder.bytes - folder.video_bytes,
    selector: null,
  };
}

async function* readUnit(
  tree: SourceTree,
  folder: EpisodeFolder,
  unit: WorkUnit,
  options: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  options.signal?.throwIfAborted();
  const context = { index: unit.first_index, hasher: createFileHasher(tree), hashes: hashScope(options) };
  yield await readEpisode(tree, folder, context);
  options.onBytes?.(unit.bytes);
}

function calibrationFindings(folders: readonly EpisodeFolder[]): Finding[] {
  if (!folders.some(({ metadata }) => metadata !== null)) return [];
  return [
    {
      ...{ code: 'extrinsics_unreliable', severity: 'warning', path: null },
      message:
        'the camera extrinsics of DROID are known to be wrong or biased in many scenes, and the intrinsics are only in SVO files; the extrinsics are kept as recorded',
      advice:
        'check extrinsics against the images before using them, or use the corrected ones published by the project',
    },
  ];
}

function unreadFindings(folders: readonly EpisodeFolder[]): Finding[] {
  const unread = folders.flatMap((folder) => folder.unread);
  if (unread.length === 0) return [];
  const svo = unread.filter((path) => /\.svo2?$/i.test(path)).length;
  const files = unread.length === 1 ? '1 file was' : `${unread.length} files were`;
  const listed = `${unread.slice(0, 3).join(', ')}${unread.length > 3 ? ', …' : ''}`;
  return [
    {
      ...{ code: 'files_not_read', severity: 'info', path: null },
      message: `${files} not read, of which SVO recordings: ${svo} (${listed})`,
      advice:
        'nothing to do: the MP4 files show the left eye; extracting depth and intrinsics from SVO files requires the ZED SDK',
    },
  ];
}
