import { createMediaService } from '#io/media';
import { roleOf } from '../../read/episodes/column-plan.ts';
import { featuresOf, type LeRobotDraft } from '../draft/draft.ts';
import { CameraEntries } from '../pictures/camera-entries.ts';
import { entryV2, entryV3, Moments, type Wrong, wrongOfEpisode } from '../statistics/compare.ts';
import { type DeclaredEntries, declaredStatistics } from '../statistics/declared.ts';
import type { StatisticsLook } from '../statistics/look.ts';
import {
  columnsOf,
  EntryPool,
  type EpisodeRows,
  episodesOf,
  type NumericFeature,
  numericFeatures,
} from '../statistics/look.ts';
import { putEpisodeEntry } from '../statistics/put-entry.ts';
import { homesOf, type Mend, unfixed } from './mend.ts';
import { mendSetStatistics } from './set-statistics.ts';

/** Statistics are those of the rows and the pictures, computed as the library computes them. */
export const statistics: Mend = {
  id: 'statistics',
  title:
    'Statistics of episodes and of the set are those of the rows and pictures, computed as LeRobot computes them',
  answers: [
    'episode_stats_stale',
    'episode_stats_malformed',
    'episode_stats_missing',
    'set_stats_wrong',
    'unused_stats_wrong',
    'stats_missing',
    'stats_incomplete',
    'camera_stats_missing',
    'camera_stats_none',
    'picture_stats_scale',
    'picture_stats_wrong',
    'stats_not_a_number',
    'stats_std_zero',
    'stats_quantiles_wrong',
    'stats_quantiles_absent',
    'stats_inconsistent',
  ],
  run: async (draft) => {
    const look = await lookOf(draft);
    for (const file of draft.files) {
      if (file.spans.length === 0) continue;
      const numbers = file.spans.map(({ episode }) => episode);
      const declared = await look.declared.read(Math.min(...numbers), Math.max(...numbers));
      for await (const rows of episodesOf(file, look.features, Number(draft.info.value.fps)))
        mendEpisode(draft, look, rows, declared.get(rows.span.episode) ?? {});
    }
    if (look.kept) draft.statisticsLines = look.declared.lines;
    mendSetStatistics(draft, look);
    await mendPictures(draft, look);
  },
};

async function lookOf(draft: LeRobotDraft): Promise<StatisticsLook> {
  const declared = await declaredStatistics(draft);
  const features = numericFeatures(draft);
  const version = String(draft.info.value.codebase_version ?? '');
  const lines = draft.layout === 'v2' && !/^v?2\.0/.test(version);
  const inSet = new Set(Object.keys(draft.setStatistics?.value ?? {}));
  const trained = ({ key }: NumericFeature) => /^(state|action)$/.test(roleOf(key));
  const wanted = features.filter(
    (feature) =>
      trained(feature) ||
      draft.declared.has(feature.key) ||
      declared.features.has(feature.key) ||
      inSet.has(feature.key),
  );
  const homes = homesOf(draft);
  const whole = draft.damaged.size === 0 && draft.episodes.every(({ index }) => homes.has(index));
  return {
    declared,
    features,
    kept: lines || declared.features.size > 0 || draft.episodeFiles.length === 0,
    wanted: new Set(wanted.map(({ key }) => key)),
    quantiles: draft.layout === 'v3',
    homes: new Map(draft.episodes.map(({ index, home }) => [index, home])),
    rows: homes,
    pools: new Map(),
    moments: new Map(),
    partial: new Set(whole ? [] : features.map(({ key }) => key)),
  };
}

function mendEpisode(
  draft: LeRobotDraft,
  look: StatisticsLook,
  { span, values }: EpisodeRows,
  declared: DeclaredEntries,
): void {
  for (const { key, kind, dims } of look.features) {
    const rows = values.get(key);
    // What is not finite is another fault, and has no statistics.
    if (rows === undefined || !look.wanted.has(key)) continue;
    if (!rows.values.every(Number.isFinite) || (dims !== null && dims !== rows.dims)) {
      look.partial.add(key);
      nameRows(draft, span.episode, key, dims !== null && dims !== rows.dims ? rows.dims : null, dims);
      continue;
    }
    const wrong = wrongOfEpisode(declared[key], rows, look.quantiles);
    const compute = look.quantiles ? entryV3 : entryV2;
    const entry = wrong === null ? declared[key] : compute(columnsOf(rows), kind);
    poolOf(look, key).add(entry);
    momentsOf(look, key).add(rows);
    if (wrong === null || !look.kept) continue;
    const home = look.homes.get(span.episode) ?? null;
    const { before, after } = wrong;
    putEpisodeEntry(draft, { index: span.episode, home }, key, entry, {
      code: codeOf(wrong),
      before,
      after,
    });
  }
}

/** Rows that have no statistics: of another width than declared, or with numbers that are none. */
function nameRows(
  draft: LeRobotDraft,
  episode: number,
  key: string,
  width: number | null,
  declared: number | null,
): void {
  const home = draft.files.find(({ spans }) => spans.some((one) => one.episode === episode));
  unfixed(draft, width === null ? 'non_finite_values' : 'vector_length_wrong', {
    ...(home === undefined ? {} : { path: home.path }),
    episode,
    message:
      width === null
        ? `${key} of episode ${episode} holds NaN or Infinity`
        : `${key} of episode ${episode} has ${width} numbers a row where ${declared} are declared`,
    advice:
      width === null
        ? 'Drop these rows, or leave the episode out: what was measured there is not known.'
        : 'Repair the rows, or correct the shape in meta/info.json.',
  });
}

function poolOf({ pools }: StatisticsLook, key: string): EntryPool {
  const pool = pools.get(key) ?? new EntryPool();
  pools.set(key, pool);
  return pool;
}

function momentsOf({ moments }: StatisticsLook, key: string): Moments {
  const own = moments.get(key) ?? new Moments();
  moments.set(key, own);
  return own;
}

function codeOf({ kind }: Wrong): Mend['answers'][number] {
  if (kind === 'missing') return 'episode_stats_missing';
  if (kind === 'not_a_number') return 'stats_not_a_number';
  if (kind === 'std_zero') return 'stats_std_zero';
  if (kind === 'quantiles_absent') return 'stats_quantiles_absent';
  return kind === 'quantiles' ? 'stats_quantiles_wrong' : 'episode_stats_stale';
}

/** Episodes whose entries are read at once. */
const block = 500;

/**
 * Statistics of pictures are there and can be those of pictures; what is not is computed from a sample of the pictures,
 * as LeRobot does. With `--pictures` every entry is held against its pictures.
 */
async function mendPictures(draft: LeRobotDraft, look: StatisticsLook): Promise<void> {
  const cameras = camerasIn(draft).map((camera) => new CameraEntries(draft, look, camera));
  if (cameras.length === 0) return;
  const media = createMediaService({ children: 1 });
  try {
    let declared: ReadonlyMap<number, DeclaredEntries> = new Map();
    for (const [at, episode] of draft.episodes.entries()) {
      draft.options.signal?.throwIfAborted();
      if (at % block === 0) {
        const numbers = draft.episodes.slice(at, at + block).map(({ index }) => index);
        declared = await look.declared.read(Math.min(...numbers), Math.max(...numbers));
      }
      let measured = false;
      for (const camera of cameras)
        measured = (await camera.add(episode, declared.get(episode.index) ?? {}, media)) || measured;
      if (measured) draft.options.onPictures?.(at + 1, draft.episodes.length);
    }
    for (const camera of cameras) camera.conclude();
  } finally {
    await media.close();
  }
}

/** Cameras in colour; the library keeps no statistics of others. */
function camerasIn({ info }: LeRobotDraft): string[] {
  return [...featuresOf(info.value)].flatMap(([key, { dtype, shape }]) =>
    (dtype === 'video' || dtype === 'image') && Array.isArray(shape) && shape.includes(3) ? [key] : [],
  );
}
