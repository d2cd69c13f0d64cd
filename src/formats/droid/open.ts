import type { Episode, Finding } from '#core/episode';
import { createFileHasher, hashScope, type SourceTree } from '#io/sources';
import type { Dataset, ReadOptions, Recognition, Unreadable, WorkUnit } from '../shared/reader.ts';
import { controlRate } from './clocks.ts';
import { type EpisodeFolder, episodeFolders } from './layout.ts';
import { mounts } from './metadata.ts';
import { idOf, readEpisode } from './read-episode.ts';

/** A folder a work unit. */
export function openDroid(tree: SourceTree, recognition: Recognition): Dataset {
  const folders = episodeFolders(tree);
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
    units: folders.map(unitOf),
    read: (unit, options) => readUnit(tree, folders[unit.first_index], unit, options),
    close: async () => {},
  };
}

function unitOf(own: EpisodeFolder, index: number): WorkUnit {
  return {
    id: idOf(own),
    expected_episodes: 1,
    first_index: index,
    bytes: own.bytes,
    look_bytes: own.bytes - own.video_bytes,
    selector: null,
  };
}

async function* readUnit(
  tree: SourceTree,
  own: EpisodeFolder,
  unit: WorkUnit,
  options: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  options.signal?.throwIfAborted();
  const context = { index: unit.first_index, hasher: createFileHasher(tree), hashes: hashScope(options) };
  yield await readEpisode(tree, own, context);
  options.onBytes?.(unit.bytes);
}

function calibrationFindings(folders: readonly EpisodeFolder[]): Finding[] {
  if (!folders.some(({ metadata }) => metadata !== null)) return [];
  return [
    {
      ...{ code: 'extrinsics_unreliable', severity: 'warning', path: null },
      message:
        'camera extrinsics of DROID are known to be wrong or biased in many scenes, and intrinsics lie in SVO files alone; they are kept as they are written',
      advice:
        'use extrinsics only after checking them against the pictures, or take the corrected ones of the project',
    },
  ];
}

function unreadFindings(folders: readonly EpisodeFolder[]): Finding[] {
  const unread = folders.flatMap((own) => own.unread);
  if (unread.length === 0) return [];
  const svo = unread.filter((path) => /\.svo2?$/i.test(path)).length;
  const files = unread.length === 1 ? '1 file is' : `${unread.length} files are`;
  const named = `${unread.slice(0, 3).join(', ')}${unread.length > 3 ? ', …' : ''}`;
  return [
    {
      ...{ code: 'files_not_read', severity: 'info', path: null },
      message: `${files} not read, SVO recordings among them: ${svo} (${named})`,
      advice:
        'nothing to do: MP4 holds the left eye; depth and intrinsics need the ZED SDK to be taken from SVO',
    },
  ];
}
