import type { Episode, Finding } from '#core/episode';
import { createFileHasher, hashScope, type SourceTree } from '#io/sources';
import type { Dataset, ReadOptions, Recognition, Unreadable, WorkUnit } from '../shared/reader.ts';
import { frameRate } from './clocks.ts';
import { type AgibotEpisode, findEpisodes } from './layout.ts';
import { episodeId, readEpisode } from './read-episode.ts';
import { readTaskInfo, type TaskInfo } from './task-info.ts';

/**
 * Opens an AgiBot World folder as a dataset with one work unit per episode (a pair of task and episode); missing
 * videos, known damage and archives become findings.
 */
export function openAgibot(tree: SourceTree, recognition: Recognition): Dataset {
  const episodes = findEpisodes(tree);
  const cameras = camerasByTask(episodes);
  const readInfo = cacheTaskInfo(tree);
  return {
    facts: {
      format: 'agibot',
      version: null,
      declared_episodes: null,
      declared_frames: null,
      declared_rate_hz: frameRate.hz,
      robot: 'AgiBot A2D',
      declared_cameras: [...new Set([...cameras.values()].flatMap((names) => [...names]))].map(
        (name) => `camera/${name}`,
      ),
    },
    recognition,
    findings: [
      ...knownTaskFindings(new Set(episodes.map(({ task }) => task))),
      ...videoFindings(episodes, cameras),
      ...archiveFindings(tree),
    ],
    units: episodes.map(toWorkUnit),
    read: (unit, options) => readUnit(unit, options),
    close: async () => {},
  };

  async function* readUnit(unit: WorkUnit, options: ReadOptions): AsyncGenerator<Episode | Unreadable> {
    options.signal?.throwIfAborted();
    const episode = episodes[unit.first_index];
    yield await readEpisode(tree, episode, {
      index: unit.first_index,
      hasher: createFileHasher(tree),
      hashes: hashScope(options),
      info: await readInfo(episode.task),
      cameras: cameras.get(episode.task) ?? new Set(),
    });
    options.onBytes?.(unit.bytes);
  }
}

/**
 * Returns a loader that caches the task info of the last task only: episodes are read task by task, so one list is in
 * memory at a time.
 */
function cacheTaskInfo(tree: SourceTree): (task: string) => Promise<TaskInfo> {
  let cached: { task: string; info: Promise<TaskInfo> } | null = null;
  return (task) => {
    if (cached?.task !== task) cached = { task, info: readTaskInfo(tree, task) };
    return cached.info;
  };
}

function camerasByTask(episodes: readonly AgibotEpisode[]): ReadonlyMap<string, ReadonlySet<string>> {
  const cameras = new Map<string, Set<string>>();
  for (const { task, videos } of episodes) {
    const names = cameras.get(task) ?? new Set<string>();
    for (const name of videos.keys()) names.add(name);
    cameras.set(task, names);
  }
  return cameras;
}

function toWorkUnit(episode: AgibotEpisode, index: number): WorkUnit {
  return {
    id: episodeId(episode),
    expected_episodes: 1,
    first_index: index,
    bytes: episode.bytes,
    look_bytes: episode.look_bytes,
    selector: null,
  };
}

function videoFindings(
  episodes: readonly AgibotEpisode[],
  cameras: ReadonlyMap<string, ReadonlySet<string>>,
): Finding[] {
  const lacking = episodes.filter(
    ({ task, videos }) => videos.size < Math.max(1, cameras.get(task)?.size ?? 1),
  );
  if (lacking.length === 0) return [];
  const listed = lacking.slice(0, 3).map(episodeId);
  return [
    {
      ...{ code: 'videos_missing', severity: 'error', path: null },
      message: `${lacking.length} of ${episodes.length} episodes are missing some or all videos that other episodes of their task have (${listed.join(', ')}${lacking.length > 3 ? ', …' : ''})`,
      advice: 'unpack the observations archives again; the other data of these episodes is still evaluated',
      evidence: { episodes: episodes.length, lacking: lacking.length },
    },
  ];
}

function archiveFindings(tree: SourceTree): Finding[] {
  const archives = tree.files.filter(({ path }) =>
    /^(observations|parameters|proprio_stats)\/.*\.(tar|tar\.gz|tgz|zip)$/.test(path),
  );
  if (archives.length === 0) return [];
  return [
    {
      ...{ code: 'archives_not_unpacked', severity: 'warning', path: archives[0]?.path ?? null },
      message: `${archives.length} archives are not unpacked and were not read (${archives
        .slice(0, 3)
        .map(({ path }) => path)
        .join(', ')}${archives.length > 3 ? ', …' : ''})`,
      advice: 'unpack each archive in its folder',
    },
  ];
}

/** Tasks with known damage, collected from converters of the dataset (any4lerobot) and from issue reports. */
const knownDamage = [
  {
    code: 'known_long_actions',
    what: 'some episodes have more commands than states',
    advice: 'check the findings of these episodes; dataset converters exclude them',
    tasks: [352, 354, 359, 361, 368, 376, 377, 410, 414, 421],
  },
  {
    code: 'known_broken_videos',
    what: 'some videos are corrupt',
    advice: 'check the cameras of these episodes; dataset converters exclude them',
    tasks: [380, 384, 428, 460, 505, 510, 711],
  },
  {
    code: 'known_misaligned_videos',
    what: 'video frames are reported to be misaligned with the states',
    advice: 'compare the video with the motion before training on these tasks',
    tasks: [361, 362, 392, 475, 532, 543, 570, 595, 620],
  },
] as const;

/** Returns one finding per kind of known damage, listing the affected tasks that are present. */
function knownTaskFindings(tasks: ReadonlySet<string>): Finding[] {
  return knownDamage.flatMap(({ code, what, advice, tasks: damaged }) => {
    const present = damaged.filter((task) => tasks.has(String(task)));
    if (present.length === 0) return [];
    const listed = `${present.length === 1 ? 'task' : 'tasks'} ${present.join(', ')}`;
    return [
      {
        ...{ code, severity: 'warning', path: null },
        message: `known issue of ${listed}: ${what}`,
        advice,
        evidence: { tasks: [...present] },
      },
    ];
  });
}
