import { createMediaService } from '#io/media';
import { isObject, JsonDocument } from '../../../shared/fix/json-files.ts';
import { inferRole } from '../../read/episodes/column-plan.ts';
import { type LeRobotDraft, parseFeatures, statisticsPath } from '../draft.ts';
import { CameraEntries } from '../statistics/camera-entries.ts';
import {
  compareWithRows,
  computeEntryV2,
  computeEntryV3,
  Moments,
  type StatisticsFault,
} from '../statistics/compare.ts';
import {
  EntryPool,
  type EpisodeRows,
  type NumericFeature,
  numericFeatures,
  readEpisodes,
  type StatisticsContext,
  toColumns,
} from '../statistics/context.ts';
import {
  type DeclaredEntries,
  openEpisodeStatistics,
  setDatasetEntry,
  setEpisodeEntry,
} from '../statistics/entries.ts';
import { type LeRobotFix, locateEpisodes, recordUnfixed } from './fix.ts';

/** Fix: recomputes statistics that differ from the rows or pictures, the way the library computes them. */
export const statistics: LeRobotFix = {
  id: 'statistics',
  title: 'Recompute statistics of episodes and dataset from rows and images, as LeRobot does',
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
    const context = await createContext(draft);
    for (const file of draft.files) {
      if (file.spans.length === 0) continue;
      const numbers = file.spans.map(({ episode }) => episode);
      const declared = await context.declared.read(Math.min(...numbers), Math.max(...numbers));
      for await (const rows of readEpisodes(file, context.features, Number(draft.info.value.fps)))
        fixEpisodeStatistics(draft, context, rows, declared.get(rows.span.episode) ?? {});
    }
    if (context.hasEpisodeStatistics) draft.statisticsLines = context.declared.lines;
    fixSetStatistics(draft, context);
    await fixPictureStatistics(draft, context);
  },
};

/** Reads the existing statistics and determines which features need them. */
async function createContext(draft: LeRobotDraft): Promise<StatisticsContext> {
  const declared = await openEpisodeStatistics(draft);
  const features = numericFeatures(draft);
  const version = String(draft.info.value.codebase_version ?? '');
  const lines = draft.layout === 'v2' && !/^v?2\.0/.test(version);
  const inSet = new Set(Object.keys(draft.setStatistics?.value ?? {}));
  const trained = ({ key }: NumericFeature) => /^(state|action)$/.test(inferRole(key));
  const wanted = features.filter(
    (feature) =>
      trained(feature) ||
      draft.newFeatures.has(feature.key) ||
      declared.features.has(feature.key) ||
      inSet.has(feature.key),
  );
  const locations = locateEpisodes(draft);
  const whole = draft.damaged.size === 0 && draft.episodes.every(({ index }) => locations.has(index));
  return {
    declared,
    features,
    hasEpisodeStatistics: lines || declared.features.size > 0 || draft.episodeFiles.length === 0,
    requiredFeatures: new Set(wanted.map(({ key }) => key)),
    quantiles: draft.layout === 'v3',
    tableFiles: new Map(draft.episodes.map(({ index, tableFile }) => [index, tableFile])),
    locations,
    pools: new Map(),
    moments: new Map(),
    incompleteFeatures: new Set(whole ? [] : features.map(({ key }) => key)),
  };
}

/** Recomputes the wrong or missing statistics of one episode, and adds its rows to the totals of the set. */
function fixEpisodeStatistics(
  draft: LeRobotDraft,
  context: StatisticsContext,
  { span, values }: EpisodeRows,
  declared: DeclaredEntries,
): void {
  for (const { key, kind, dims } of context.features) {
    const rows = values.get(key);
    // Rows with non-finite values are reported, and have no statistics.
    if (rows === undefined || !context.requiredFeatures.has(key)) continue;
    if (!rows.values.every(Number.isFinite) || (dims !== null && dims !== rows.dims)) {
      context.incompleteFeatures.add(key);
      reportInvalidRows(
        draft,
        span.episode,
        key,
        dims !== null && dims !== rows.dims ? rows.dims : null,
        dims,
      );
      continue;
    }
    const wrong = compareWithRows(declared[key], rows, context.quantiles);
    const compute = context.quantiles ? computeEntryV3 : computeEntryV2;
    const entry = wrong === null ? declared[key] : compute(toColumns(rows), kind);
    getPool(context, key).add(entry);
    getMoments(context, key).add(rows);
    if (wrong === null || !context.hasEpisodeStatistics) continue;
    const tableFile = context.tableFiles.get(span.episode) ?? null;
    const { before, after } = wrong;
    setEpisodeEntry(draft, { index: span.episode, tableFile }, key, entry, {
      code: episodeCode(wrong),
      before,
      after,
    });
  }
}

/** Reports rows without statistics as unfixed: of another width than declared, or with non-finite values. */
function reportInvalidRows(
  draft: LeRobotDraft,
  episode: number,
  key: string,
  width: number | null,
  declared: number | null,
): void {
  const dataFile = draft.files.find(({ spans }) => spans.some((one) => one.episode === episode));
  recordUnfixed(draft, width === null ? 'non_finite_values' : 'vector_length_wrong', {
    ...(dataFile === undefined ? {} : { path: dataFile.path }),
    episode,
    message:
      width === null
        ? `${key} of episode ${episode} contains NaN or Infinity`
        : `${key} of episode ${episode} has ${width} values per row, but ${declared} are declared`,
    advice:
      width === null
        ? 'Drop these rows, or exclude the episode: the original values cannot be recovered.'
        : 'Repair the rows, or correct the shape in meta/info.json.',
  });
}

function getPool({ pools }: StatisticsContext, key: string): EntryPool {
  const pool = pools.get(key) ?? new EntryPool();
  pools.set(key, pool);
  return pool;
}

function getMoments({ moments }: StatisticsContext, key: string): Moments {
  const own = moments.get(key) ?? new Moments();
  moments.set(key, own);
  return own;
}

/** Returns the rule code for a fault of an episode's statistics. */
function episodeCode({ kind }: StatisticsFault): LeRobotFix['answers'][number] {
  if (kind === 'missing') return 'episode_stats_missing';
  if (kind === 'not_a_number') return 'stats_not_a_number';
  if (kind === 'std_zero') return 'stats_std_zero';
  if (kind === 'quantiles_absent') return 'stats_quantiles_absent';
  return kind === 'quantiles' ? 'stats_quantiles_wrong' : 'episode_stats_stale';
}

/** Number of episodes whose statistics are read per query. */
const episodesPerRead = 500;

/**
 * Recomputes missing or impossible statistics of cameras from a sample of their pictures, as LeRobot does. With
 * `--pictures` every entry is compared with its pictures.
 */
async function fixPictureStatistics(draft: LeRobotDraft, context: StatisticsContext): Promise<void> {
  const cameras = listColourCameras(draft).map((camera) => new CameraEntries(draft, context, camera));
  if (cameras.length === 0) return;
  const media = createMediaService({ children: 1 });
  try {
    let declared: ReadonlyMap<number, DeclaredEntries> = new Map();
    for (const [at, episode] of draft.episodes.entries()) {
      draft.options.signal?.throwIfAborted();
      if (at % episodesPerRead === 0) {
        const numbers = draft.episodes.slice(at, at + episodesPerRead).map(({ index }) => index);
        declared = await context.declared.read(Math.min(...numbers), Math.max(...numbers));
      }
      let measured = false;
      for (const camera of cameras)
        measured = (await camera.add(episode, declared.get(episode.index) ?? {}, media)) || measured;
      if (measured) draft.options.onPictures?.(at + 1, draft.episodes.length);
    }
    for (const camera of cameras) camera.finish();
  } finally {
    await media.close();
  }
}

/** Lists the cameras with three channels; the library keeps no statistics of others. */
function listColourCameras({ info }: LeRobotDraft): string[] {
  return [...parseFeatures(info.value)].flatMap(([key, { dtype, shape }]) =>
    (dtype === 'video' || dtype === 'image') && Array.isArray(shape) && shape.includes(3) ? [key] : [],
  );
}

type Code = LeRobotFix['answers'][number];

/**
 * Fixes meta/stats.json: entries that differ from the rows are replaced by the pooled episode statistics, as the
 * library computes them.
 */
function fixSetStatistics(draft: LeRobotDraft, context: StatisticsContext): void {
  // v2.1 pools the episodes' lines whenever it opens a set, and reads no such file.
  const used = draft.layout === 'v3' || !context.hasEpisodeStatistics;
  if (draft.setStatistics === null && !used) return;
  const absent = draft.setStatistics === null;
  const document = draft.setStatistics ?? emptyDocument();
  draft.setStatistics = document;
  for (const { key } of context.features) {
    const moments = context.moments.get(key);
    const pooled = context.pools.get(key)?.entry() ?? null;
    if (moments === undefined || pooled === null || context.incompleteFeatures.has(key)) continue;
    const entry = document.value[key];
    const wrong = moments.compare(isObject(entry) ? { ...entry } : undefined, context.quantiles);
    if (wrong === null) continue;
    const { before, after } = wrong;
    setDatasetEntry(draft, document, key, pooled, { code: setCode(wrong, absent, used), before, after });
  }
}

/** Creates an empty meta/stats.json. */
function emptyDocument(): JsonDocument {
  const document = JsonDocument.fromText('{\n    "action": 0\n}\n', statisticsPath);
  document.set(['action'], undefined);
  return document;
}

/** Returns the rule code for a fault of the set's statistics. */
function setCode({ kind }: StatisticsFault, absent: boolean, used: boolean): Code {
  if (absent) return 'stats_missing';
  if (!used) return 'unused_stats_wrong';
  if (kind === 'missing') return 'stats_incomplete';
  if (kind === 'not_a_number') return 'stats_not_a_number';
  if (kind === 'std_zero') return 'stats_std_zero';
  if (kind === 'quantiles_absent') return 'stats_quantiles_absent';
  return kind === 'quantiles' ? 'stats_quantiles_wrong' : 'set_stats_wrong';
}
