import type { Episode, Finding } from '#core/episode';
import { whileHeld, withHeld } from '#io/sources';
import type { Dataset, ReadOptions, Recognition, Unreadable, WorkUnit } from '../../shared/reader.ts';
import type { CarriedSet } from '../metadata/carried-set.ts';
import { camerasWithVideo } from '../metadata/info.ts';
import type { LeRobotSet } from '../metadata/lerobot-set.ts';
import { pictureAt } from './cameras/picture-at.ts';
import { Sources } from './cameras/sources.ts';
import { readUnitV2, type TableRows } from './episodes/read-v2.ts';
import { readUnitV3 } from './episodes/read-v3.ts';
import { assignEpisodes, type Homes, type RowRange, unitsV3 } from './episodes/units-v3.ts';
import { declaredStatistics } from './stats/declared-stats.ts';

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
