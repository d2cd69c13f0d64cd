import type {
  DeclaredStatistics,
  Episode,
  Finding,
  SampledPicture,
  Severity,
  StreamStatistics,
} from '#core/episode';
import { iterateWithLocalFiles, withLocalFiles } from '#io/sources';
import { fetchChunks, fetchRows } from '../../shared/parquet/chunks.ts';
import { parquetSource } from '../../shared/parquet/duck.ts';
import { parquetColumns } from '../../shared/parquet/footer.ts';
import type {
  Dataset,
  PictureRequest,
  ReadOptions,
  Recognition,
  Unreadable,
  WorkUnit,
} from '../../shared/reader.ts';
import { bookkeepingColumns, type Feature, isObject, listVideoCameras } from '../metadata/info.ts';
import type { LeRobotSet, LeRobotSnapshot } from '../metadata/lerobot-set.ts';
import { createLeRobotViolation, type LeRobotRuleId } from '../rules/contract.ts';
import { gr00t, modalityPath } from '../rules/readers.ts';
import { inferRole, planFile } from './episodes/column-plan.ts';
import { readUnitV2, type TableRows } from './episodes/read-v2.ts';
import { readUnitV3 } from './episodes/read-v3.ts';
import { type ActualFileLookup, assignEpisodes, createUnitsV3, type RowRange } from './episodes/units-v3.ts';
import { Sources } from './sources.ts';
import { parseStatsEntry, type StatsEntry } from './stats/episode-stats.ts';
import { episodeStatsPath, usesEpisodeStats } from './stats/stats.ts';

/** Episode files per unit of a v2 set. */
const filesPerUnit = 64;

/**
 * Creates the dataset of an opened set with its facts and work units; rows and pictures are read when asked for.
 * `snapshot`: data from which another thread can open it.
 */
export function createDataset(
  set: LeRobotSet,
  actualFile: ActualFileLookup,
  recognition: Recognition,
  findings: readonly Finding[],
  snapshot?: LeRobotSnapshot,
): Dataset {
  const { info, layout, tree, episodes, features } = set;
  const pictures = [...features.values()].filter((feature) => feature.dtype === 'image');
  const shared = { set, actualFile, assigned: assignEpisodes(tree, episodes, actualFile) };
  const sources = {
    all: new Sources(set, 'all'),
    media: new Sources(set, 'media'),
    none: new Sources(set, 'none'),
  };
  const sourcesFor = ({ hashes, copies }: ReadOptions) =>
    sources[hashes !== false ? 'all' : copies === false ? 'none' : 'media'];
  return {
    facts: {
      format: 'lerobot',
      version: info.version,
      declared_episodes: info.total_episodes,
      declared_frames: info.total_frames,
      declared_rate_hz: info.fps,
      rate_is_contract: layout === 'v2',
      ...(tree.has(modalityPath) ? { prepared_for: gr00t } : {}),
      robot: info.robot,
      declared_cameras: [...listVideoCameras(features), ...pictures.map((feature) => feature.key)],
      declared_statistics: collectDeclaredStatistics(set),
    },
    recognition,
    findings,
    units: layout === 'v3' ? createUnitsV3(tree, episodes, shared.assigned) : createUnitsV2(set),
    read: (unit, options) => {
      const episodes =
        layout === 'v3'
          ? readUnitV3({ ...shared, sources: sourcesFor(options) }, unit.selector as RowRange, options)
          : readUnitV2(set, sourcesFor(options), unit.selector as TableRows, options);
      const reading = withProgress(unit, options, episodes);
      return tree.store === null
        ? reading
        : iterateWithLocalFiles(tree.acquire(listUnitFiles(set, unit)), reading);
    },
    picturesAt: (wanted) =>
      withLocalFiles(tree.acquire([wanted.locator.path]), async (held) =>
        readPictureAt(features, held.absolute(wanted.locator.path), wanted),
      ),
    snapshot,
    close: async () => {},
  };
}

/** Lists the data files that a unit reads. */
function listUnitFiles({ layout, episodes, tree }: LeRobotSet, { selector }: WorkUnit): string[] {
  if (layout === 'v3') return [(selector as RowRange).file];
  const { from_row, to_row } = selector as TableRows;
  const rows = Array.from({ length: to_row - from_row }, (_, at) => episodes.dataPath(from_row + at));
  return rows.flatMap((path) => (path !== null && tree.has(path) ? [path] : []));
}

/** Number of episodes between progress reports. */
const episodesPerReport = 64;

/** Reports the bytes read while the episodes of a unit are yielded. */
async function* withProgress(
  unit: WorkUnit,
  options: ReadOptions,
  read: AsyncGenerator<Episode | Unreadable>,
): AsyncGenerator<Episode | Unreadable> {
  let done = 0;
  for await (const episode of read) {
    yield episode;
    done += 1;
    if (done % episodesPerReport !== 0) continue;
    options.onBytes?.(Math.round((unit.bytes * done) / Math.max(done, unit.expected_episodes)));
  }
  options.onBytes?.(unit.bytes);
}

/** Creates the units of a v2 set: groups of episode files in table order. */
function createUnitsV2(set: LeRobotSet): WorkUnit[] {
  const units: WorkUnit[] = [];
  const { episodes, tree } = set;
  for (let from = 0; from < episodes.count; from += filesPerUnit) {
    const to = Math.min(from + filesPerUnit, episodes.count);
    let bytes = 0;
    for (let row = from; row < to; row++) bytes += tree.entry(episodes.dataPath(row) ?? '')?.bytes ?? 0;
    const selector: TableRows = { from_row: from, to_row: to };
    units.push({
      id: `episodes-${from}`,
      expected_episodes: to - from,
      first_index: episodes.index[from],
      bytes,
      selector,
    });
  }
  return units;
}

/** Reads one picture of a data file by episode and row; empty if there is no such row or column. */
async function readPictureAt(
  features: ReadonlyMap<string, Feature>,
  file: string,
  { locator, episode_index, row }: PictureRequest,
): Promise<readonly SampledPicture[]> {
  const plan = planFile(features, await parquetColumns(file, locator.path));
  const picture = plan.pictures.find(({ feature }) => feature.key === locator.channel);
  if (picture === undefined) return [];
  const source = parquetSource([file], 'file_row_number = true');
  const own = plan.has.has('episode_index') ? `WHERE episode_index = ${Math.trunc(episode_index)}` : '';
  const place = `SELECT file_row_number FROM ${source} ${own} ORDER BY 1 LIMIT 1 OFFSET ${Math.trunc(row)}`;
  const [found] = await fetchRows(place);
  if (found === undefined) return [];
  const sql = `SELECT ${picture.bytes} FROM ${source} WHERE file_row_number = ${Number(found.file_row_number)}`;
  for await (const chunk of fetchChunks(sql)) {
    const bytes = chunk.bytes(0, 0);
    if (bytes !== null) return [{ index: row, time_s: 0, bytes: Uint8Array.from(bytes) }];
  }
  return [];
}

/** Returns the statistics of state, action and cameras in meta/stats.json; undefined without that file. */
function collectDeclaredStatistics(
  set: Pick<LeRobotSet, 'features' | 'stats' | 'statsPath' | 'layout' | 'info' | 'episodes'>,
): DeclaredStatistics | undefined {
  const { features, stats, statsPath, layout, info, episodes } = set;
  if (stats === null || statsPath === null || statsPath === episodeStatsPath) return undefined;
  const streams: Record<string, StreamStatistics> = {};
  const luma: Record<string, number> = {};
  for (const { key, dtype } of features.values()) {
    const entry = stats[key];
    if (!isObject(entry) || bookkeepingColumns.has(key)) continue;
    if (dtype === 'video' || dtype === 'image') {
      const mean = meanLuma(parseStatsEntry(entry));
      if (mean !== null) luma[key] = mean;
    } else if (/^(state|action)$/.test(inferRole(key)))
      streams[key] = keepFiniteLists(parseStatsEntry(entry));
  }
  const ruleFields = (id: LeRobotRuleId): { code: string; severity: Severity; advice: string } => {
    const { code, severity, advice } = createLeRobotViolation(layout, id, statsPath, '');
    return { code, severity, advice };
  };
  const unused = usesEpisodeStats(layout, info.version);
  return {
    path: statsPath,
    episodes: episodes.count,
    streams,
    luma,
    wrong: ruleFields(unused ? 'unused_stats_wrong' : 'set_stats_wrong'),
    pictures_wrong: ruleFields(unused ? 'unused_stats_wrong' : 'picture_stats_wrong'),
  };
}

/** Replaces lists with non-finite values by null: they are reported separately and not compared. */
function keepFiniteLists({ min, max, mean, std, count }: StatsEntry): StreamStatistics {
  const whole = (list: readonly number[] | null) => (list?.every(Number.isFinite) === true ? list : null);
  return {
    min: whole(min),
    max: whole(max),
    mean: whole(mean),
    std: whole(std),
    count: Number.isFinite(count) ? count : null,
  };
}

/** Returns the mean luma (Rec. 601, 0–255) of a camera; null if the mean is not three values from 0 to 1. */
function meanLuma({ mean }: StatsEntry): number | null {
  if (mean?.length !== 3 || mean.some((value) => !(value >= 0 && value <= 1.01))) return null;
  return 255 * (0.299 * mean[0] + 0.587 * mean[1] + 0.114 * mean[2]);
}
