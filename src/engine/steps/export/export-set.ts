import { AssayError } from '#core';
import type { Episode } from '#core/episode';
import { ExportEpisode, type ExportFormat, exportFormats, type SetPlan } from '#formats/write';
import type { OpenedDataset, OpenedDatasets } from '../find-datasets.ts';
import { copyLeRobot, planLeRobotCopy } from './copy-lerobot.ts';
import {
  type ExportedSet,
  type ExportHooks,
  type ExportPlan,
  type ExportSetTask,
  type ExportSource,
  isLeRobotCopy,
  listAbsentCameras,
  requireExportable,
  requireNoAbsentCamera,
  withoutAbsent,
} from './export-request.ts';
import { type EpisodeReader, missingError, openEpisodeReader } from './read-kept.ts';
import { cutEpisode, planEpisodes, writeSet } from './write-set.ts';

/**
 * Writes the kept episodes of one or more datasets as a new set into `task.folder` and returns its summary; runs inside a
 * worker thread. LeRobot's rows and packets are copied into LeRobot formats; everything else goes through the episodes'
 * readers. Throws `usage` if the format cannot hold the recordings, `unreadable_input`, `not_found`, `not_ready`, …
 */
export async function exportSet(
  all: readonly OpenedDatasets[],
  task: ExportSetTask,
  hooks: ExportHooks,
): Promise<ExportedSet> {
  const sources = openSources(all, task, hooks);
  const [{ found, kept }] = sources;
  const source_formats = sources.map((own) => own.found.dataset.facts.format);
  requireExportable(task, source_formats);
  const { format } = task;
  if (isLeRobotCopy(format, source_formats[0])) return copyLeRobot(sources, { ...task, format }, hooks);
  const row = exportFormats.get(format)!;
  const own = withoutAbsentCameras(found, task);
  return writeSet(found, own, { format: row, open: await row.writer(), kept, hooks });
}

/** Returns what an export would write, without writing anything; null if no row would be left. */
export async function planExport(
  all: readonly OpenedDatasets[],
  task: ExportSetTask,
  hooks: ExportHooks,
): Promise<ExportPlan | null> {
  const sources = openSources(all, task, hooks);
  const [{ found, kept }] = sources;
  const { format } = task;
  const source_formats = sources.map((own) => own.found.dataset.facts.format);
  requireExportable(task, source_formats);
  if (isLeRobotCopy(format, source_formats[0])) return planLeRobotCopy(sources, { ...task, format }, hooks);
  return planConversion(found, withoutAbsentCameras(found, task), {
    format: exportFormats.get(format)!,
    kept,
  });
}

/** Returns the dataset with this path (and format, if named), or undefined if it was not found. */
export const findDataset = (
  { found }: OpenedDatasets,
  { dataset, of }: Pick<ExportSource, 'dataset' | 'of'>,
) =>
  found.find(
    ({ recognised, dataset: { facts } }) =>
      recognised.path === dataset && (of === undefined || facts.format === of),
  );

function openSources(all: readonly OpenedDatasets[], task: ExportSetTask, hooks: ExportHooks) {
  return task.sources.map((source, place) => {
    const found = findDataset(all[place], source);
    if (found === undefined) throw missingError(source.dataset);
    return {
      source,
      found,
      kept: openEpisodeReader(found, source.keep, hooks),
    };
  });
}

/**
 * Returns the task without edits that drop cameras of which no episode has anything. Throws `unreadable_input` if one is
 * not dropped.
 */
function withoutAbsentCameras({ dataset }: OpenedDataset, task: ExportSetTask): ExportSetTask {
  const absent = listAbsentCameras(dataset.findings);
  if (absent.length === 0) return task;
  requireNoAbsentCamera(absent, task.edits);
  return { ...task, edits: withoutAbsent(task.edits, absent) };
}

interface PlanTools {
  readonly format: ExportFormat;
  readonly kept: EpisodeReader;
}

/** Returns the plan of what `writeSet` would write, without reading pictures; null if the edits leave no row. */
async function planConversion(
  one: OpenedDataset,
  task: ExportSetTask,
  { format, kept }: PlanTools,
): Promise<ExportPlan | null> {
  const plan = await planEpisodes(one, task, { kept, format });
  const episodes: ExportPlan['episodes'][number][] = [];
  const recordings: number[] = [];
  for await (const episode of kept.episodes({ hashes: false, copies: false })) {
    for (const part of cutEpisode(episode, plan)) {
      const extras = { openPictures: noPictures, judgement: null, annotated: null };
      // An MCAP recording has samples and no rows.
      const rows =
        format.id === 'mcap'
          ? countSamples(episode, plan)
          : new ExportEpisode(episode, episodes.length, plan, extras, part).rows;
      const [from, until] = part?.rows ?? [0, rows];
      const duration_s = plan.rate_hz === null ? 0 : rows / plan.rate_hz;
      episodes.push({ source: 0, id: episode.id, index: episodes.length, from, until, rows, duration_s });
      recordings.push(episode.index);
    }
  }
  if (episodes.length === 0) return null;
  const splits = plan.steps.find((step) => step.splits !== undefined)?.splits?.(recordings) ?? {};
  return {
    rate_hz: plan.rate_hz ?? 0,
    rows: episodes.reduce((sum, { rows }) => sum + rows, 0),
    episodes,
    cameras: [],
    renamed: [...plan.edited.values()].flatMap(({ key, source }) =>
      key === source ? [] : [{ from: source, to: key }],
    ),
    without: plan.edits.flatMap(({ edit, feature }) => (edit === 'drop_feature' ? [String(feature)] : [])),
    splits,
    edits: [...plan.steps.map(({ lineage }) => lineage), ...plan.edits],
  };
}

const countSamples = ({ streams }: Episode, { edited }: SetPlan): number =>
  streams.reduce((sum, { id, sample_count }) => sum + (edited.has(id) ? sample_count : 0), 0);

const noPictures = (): never => {
  throw new AssayError('internal', 'a plan does not read images');
};
