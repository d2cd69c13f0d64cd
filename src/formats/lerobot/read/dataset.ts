import type {
  DeclaredStatistics,
  Episode,
  Finding,
  KeptPicture,
  Severity,
  StreamStatistics,
} from '#core/episode';
import { whileHeld, withHeld } from '#io/sources';
import { chunks, rows } from '../../shared/parquet/chunks.ts';
import { parquetSource } from '../../shared/parquet/duck.ts';
import { parquetColumns } from '../../shared/parquet/footer.ts';
import type {
  Dataset,
  PictureWanted,
  ReadOptions,
  Recognition,
  Unreadable,
  WorkUnit,
} from '../../shared/reader.ts';
import type { CarriedSet } from '../metadata/carried-set.ts';
import { bookkeeping, camerasWithVideo, type Feature, isObject } from '../metadata/info.ts';
import type { LeRobotSet } from '../metadata/lerobot-set.ts';
import { type LeRobotRuleId, lerobotBreach } from '../rules/contract.ts';
import { Sources } from './cameras/sources.ts';
import { planFile, roleOf } from './episodes/column-plan.ts';
import { readUnitV2, type TableRows } from './episodes/read-v2.ts';
import { readUnitV3 } from './episodes/read-v3.ts';
import { assignEpisodes, type Homes, type RowRange, unitsV3 } from './episodes/units-v3.ts';
import { episodeStatsPath, poolsEpisodes } from './stats/stats.ts';
import { type StatsEntry, statsEntry } from './stats/stats-entry.ts';

const filesPerUnit = 64;

/** A set as a dataset; `carried` is what another thread opens it from. */
export function datasetOf(
  set: LeRobotSet,
  homes: Homes,
  recognition: Recognition,
  findings: readonly Finding[],
  carried?: CarriedSet,
): Dataset {
  const { info, layout, tree, episodes, features } = set;
  const pictures = [...features.values()].filter((feature) => feature.dtype === 'image');
  const shared = { set, home: homes, assigned: assignEpisodes(tree, episodes, homes) };
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
      robot: info.robot,
      declared_cameras: [...camerasWithVideo(features), ...pictures.map((feature) => feature.key)],
      declared_statistics: declaredStatistics(set),
    },
    recognition,
    findings,
    units: layout === 'v3' ? unitsV3(tree, episodes, shared.assigned) : unitsV2(set),
    read: (unit, options) => {
      const episodes =
        layout === 'v3'
          ? readUnitV3({ ...shared, sources: sourcesFor(options) }, unit.selector as RowRange, options)
          : readUnitV2(set, sourcesFor(options), unit.selector as TableRows, options);
      const reading = withProgress(unit, options, episodes);
      return tree.store === null ? reading : whileHeld(tree.hold(dataFilesOfUnit(set, unit)), reading);
    },
    picturesAt: (wanted) =>
      withHeld(tree.hold([wanted.locator.path]), async (held) =>
        pictureAt(features, held.absolute(wanted.locator.path), wanted),
      ),
    carried,
    close: async () => {},
  };
}

/** Files that reading a unit opens by name. */
function dataFilesOfUnit({ layout, episodes, tree }: LeRobotSet, { selector }: WorkUnit): string[] {
  if (layout === 'v3') return [(selector as RowRange).file];
  const { from_row, to_row } = selector as TableRows;
  const rows = Array.from({ length: to_row - from_row }, (_, at) => episodes.dataPath(from_row + at));
  return rows.flatMap((path) => (path !== null && tree.has(path) ? [path] : []));
}

/** Episodes between two reports of progress. */
const reportEvery = 64;

async function* withProgress(
  unit: WorkUnit,
  options: ReadOptions,
  read: AsyncGenerator<Episode | Unreadable>,
): AsyncGenerator<Episode | Unreadable> {
  let done = 0;
  for await (const episode of read) {
    yield episode;
    done += 1;
    if (done % reportEvery !== 0) continue;
    options.onBytes?.(Math.round((unit.bytes * done) / Math.max(done, unit.expected_episodes)));
  }
  options.onBytes?.(unit.bytes);
}

/** Groups of episode files; rows of the table in order. */
function unitsV2(set: LeRobotSet): WorkUnit[] {
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

/** One picture out of a data file, by its row in the episode; none where the file has no such row or column. */
async function pictureAt(
  features: ReadonlyMap<string, Feature>,
  file: string,
  { locator, episode_index, row }: PictureWanted,
): Promise<readonly KeptPicture[]> {
  const plan = planFile(features, await parquetColumns(file, locator.path));
  const picture = plan.pictures.find(({ feature }) => feature.key === locator.channel);
  if (picture === undefined) return [];
  const source = parquetSource([file], 'file_row_number = true');
  const own = plan.has.has('episode_index') ? `WHERE episode_index = ${Math.trunc(episode_index)}` : '';
  const place = `SELECT file_row_number FROM ${source} ${own} ORDER BY 1 LIMIT 1 OFFSET ${Math.trunc(row)}`;
  const [found] = await rows(place);
  if (found === undefined) return [];
  const sql = `SELECT ${picture.bytes} FROM ${source} WHERE file_row_number = ${Number(found.file_row_number)}`;
  for await (const chunk of chunks(sql)) {
    const bytes = chunk.bytes(0, 0);
    if (bytes !== null) return [{ index: row, time_s: 0, bytes: Uint8Array.from(bytes) }];
  }
  return [];
}

/** What meta/stats.json says of the set's state, action and cameras; undefined without that file. */
function declaredStatistics(
  set: Pick<LeRobotSet, 'features' | 'stats' | 'statsPath' | 'layout' | 'info' | 'episodes'>,
): DeclaredStatistics | undefined {
  const { features, stats, statsPath, layout, info, episodes } = set;
  if (stats === null || statsPath === null || statsPath === episodeStatsPath) return undefined;
  const streams: Record<string, StreamStatistics> = {};
  const luma: Record<string, number> = {};
  for (const { key, dtype } of features.values()) {
    const entry = stats[key];
    if (!isObject(entry) || bookkeeping.has(key)) continue;
    if (dtype === 'video' || dtype === 'image') {
      const mean = lumaOf(statsEntry(entry));
      if (mean !== null) luma[key] = mean;
    } else if (/^(state|action)$/.test(roleOf(key))) streams[key] = finite(statsEntry(entry));
  }
  const said = (id: LeRobotRuleId): { code: string; severity: Severity; advice: string } => {
    const { code, severity, advice } = lerobotBreach(layout, id, statsPath, '');
    return { code, severity, advice };
  };
  const unused = poolsEpisodes(layout, info.version);
  return {
    path: statsPath,
    episodes: episodes.count,
    streams,
    luma,
    wrong: said(unused ? 'unused_stats_wrong' : 'set_stats_wrong'),
    pictures_wrong: said(unused ? 'unused_stats_wrong' : 'picture_stats_wrong'),
  };
}

/** Lists that hold NaN are a finding of their own, and not compared. */
function finite({ min, max, mean, std, count }: StatsEntry): StreamStatistics {
  const whole = (list: readonly number[] | null) => (list?.every(Number.isFinite) === true ? list : null);
  return {
    min: whole(min),
    max: whole(max),
    mean: whole(mean),
    std: whole(std),
    count: Number.isFinite(count) ? count : null,
  };
}

/** Rec. 601, as luma of decoded frames is; null for what is no mean of three channels from 0 to 1. */
function lumaOf({ mean }: StatsEntry): number | null {
  if (mean?.length !== 3 || mean.some((value) => !(value >= 0 && value <= 1.01))) return null;
  return 255 * (0.299 * mean[0] + 0.587 * mean[1] + 0.114 * mean[2]);
}
