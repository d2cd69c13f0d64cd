import type { Episode, Finding } from '#core/episode';
import { createFileHasher, hashScope, type SourceTree } from '#io/sources';
import type { Dataset, ReadOptions, Recognition, Unreadable, WorkUnit } from '../shared/reader.ts';
import { frameRate } from './frame-clock.ts';
import { type AgibotEpisode, agibotEpisodes } from './layout.ts';
import { idOf, readEpisode } from './read-episode.ts';
import { readTaskInfo, type TaskInfo } from './task-info.ts';

/** An episode a work unit. */
export function openAgibot(tree: SourceTree, recognition: Recognition): Dataset {
  const episodes = agibotEpisodes(tree);
  const cameras = camerasByTask(episodes);
  const infoOf = lastTaskInfo(tree);
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
    units: episodes.map(unitOf),
    read: (unit, options) => readUnit(unit, options),
    close: async () => {},
  };

  async function* readUnit(unit: WorkUnit, options: ReadOptions): AsyncGenerator<Episode | Unreadable> {
    options.signal?.throwIfAborted();
    const own = episodes[unit.first_index];
    yield await readEpisode(tree, own, {
      index: unit.first_index,
      hasher: createFileHasher(tree),
      hashes: hashScope(options),
      info: await infoOf(own.task),
      cameras: cameras.get(own.task) ?? new Set(),
    });
    options.onBytes?.(unit.bytes);
  }
}

/** Episodes come task by task, so that one list at a time is held. */
function lastTaskInfo(tree: SourceTree): (task: string) => Promise<TaskInfo> {
  let held: { task: string; info: Promise<TaskInfo> } | null = null;
  return (task) => {
    if (held?.task !== task) held = { task, info: readTaskInfo(tree, task) };
    return held.info;
  };
}

function camerasByTask(episodes: readonly AgibotEpisode[]): ReadonlyMap<string, ReadonlySet<string>> {
  const cameras = new Map<string, Set<string>>();
  for (const { task, videos } of episodes) {
    const own = cameras.get(task) ?? new Set<string>();
    for (const name of videos.keys()) own.add(name);
    cameras.set(task, own);
  }
  return cameras;
}

function unitOf(own: AgibotEpisode, index: number): WorkUnit {
  return {
    id: idOf(own),
    expected_episodes: 1,
    first_index: index,
    bytes: own.bytes,
    look_bytes: own.look_bytes,
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
  const named = lacking.slice(0, 3).map(idOf);
  return [
    {
      ...{ code: 'videos_missing', severity: 'error', path: null },
      message: `${lacking.length} of ${episodes.length} episodes lack videos that others of their task have, or all of them (${named.join(', ')}${lacking.length > 3 ? ', …' : ''})`,
      advice: 'unpack the archives of observations again; what is there is judged without them',
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
      message: `${archives.length} archives are not unpacked and not read (${archives
        .slice(0, 3)
        .map(({ path }) => path)
        .join(', ')}${archives.length > 3 ? ', …' : ''})`,
      advice: 'unpack each where it lies, so that its episodes are read',
    },
  ];
}

/** Tasks in which damage is known, by those who convert the set (any4lerobot) and by reports to its makers. */
const known = [
  {
    code: 'known_long_actions',
    what: 'some episodes have more commands than states',
    advice: 'look at what is found in their episodes; converters leave these out',
    tasks: [352, 354, 359, 361, 368, 376, 377, 410, 414, 421],
  },
  {
    code: 'known_broken_videos',
    what: 'some videos are broken',
    advice: 'look at what is found in their cameras; converters leave these episodes out',
    tasks: [380, 384, 428, 460, 505, 510, 711],
  },
  {
    code: 'known_misaligned_videos',
    what: 'frames are reported to lie beside their states',
    advice: 'hold pictures against the motion before training on these tasks',
    tasks: [361, 362, 392, 475, 532, 543, 570, 595, 620],
  },
] as const;

/** One finding a kind of damage, with those of its tasks that are here. */
function knownTaskFindings(tasks: ReadonlySet<string>): Finding[] {
  return known.flatMap(({ code, what, advice, tasks: damaged }) => {
    const here = damaged.filter((task) => tasks.has(String(task)));
    if (here.length === 0) return [];
    const named = `${here.length === 1 ? 'task' : 'tasks'} ${here.join(', ')}`;
    return [
      {
        ...{ code, severity: 'warning', path: null },
        message: `known of ${named}: ${what}`,
        advice,
        evidence: { tasks: [...here] },
      },
    ];
  });
}
