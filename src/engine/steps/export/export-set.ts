import { AssayError } from '#core';
import type { Episode } from '#core/episode';
import { ExportEpisode, type ExportFormat, exportFormats, type SetPlan } from '#formats/write';
import type { Found, FoundDatasets } from '../look/datasets.ts';
import { copyLeRobot, planLeRobot } from './copy-lerobot.ts';
import { demandExportable, isCopied } from './demand-exportable.ts';
import type { ExportedSet, ExportHooks, ExportPlan, ExportSetTask, ExportSource } from './export-task.ts';
import { gone, type KeptReading, readKept } from './read-kept.ts';
import { partsOf, planOf, writeSet } from './write-set.ts';

/**
 * Writes some episodes of a dataset, or of several, as a set of another format; inside a thread. LeRobot's rows and packets
 * are copied into LeRobot's own format; everything else goes through what each episode's reader gives. Throws `usage`
 * where the format cannot hold the recordings, `unreadable_input`, `not_found`, `not_ready`, …
 */
export async function exportSet(
  all: readonly FoundDatasets[],
  task: ExportSetTask,
  hooks: ExportHooks,
): Promise<ExportedSet> {
  const sources = sourcesOf(all, task, hooks);
  const [{ found, kept }] = sources;
  const source_formats = sources.map((own) => own.found.dataset.facts.format);
  demandExportable(task, source_formats);
  const { format } = task;
  if (isCopied(format, source_formats[0])) return copyLeRobot(sources, { ...task, format }, hooks);
  const row = exportFormats.get(format)!;
  return writeSet(found, task, { format: row, open: await row.writer(), kept, hooks });
}

/** What an export would do; null where no row would be left. Nothing is written. */
export async function planExport(
  all: readonly FoundDatasets[],
  task: ExportSetTask,
  hooks: ExportHooks,
): Promise<ExportPlan | null> {
  const sources = sourcesOf(all, task, hooks);
  const [{ found, kept }] = sources;
  const { format } = task;
  const source_formats = sources.map((own) => own.found.dataset.facts.format);
  demandExportable(task, source_formats);
  if (isCopied(format, source_formats[0])) return planLeRobot(sources, { ...task, format }, hooks);
  return planWritten(found, task, { format: exportFormats.get(format)!, kept });
}

/** Undefined: it is not there. */
export const findDataset = (
  { found }: FoundDatasets,
  { dataset, of }: Pick<ExportSource, 'dataset' | 'of'>,
) =>
  found.find(
    ({ recognised, dataset: { facts } }) =>
      recognised.path === dataset && (of === undefined || facts.format === of),
  );

function sourcesOf(all: readonly FoundDatasets[], task: ExportSetTask, hooks: ExportHooks) {
  return task.sources.map((source, place) => {
    const found = findDataset(all[place], source);
    if (found === undefined) throw gone(source.dataset);
    return { source, found, kept: readKept(found, source.keep, hooks) };
  });
}

interface Planning {
  readonly format: ExportFormat;
  readonly kept: KeptReading;
}

/** What `writeSet` would write, without a look at any picture; null where the edits leave no row. */
async function planWritten(
  one: Found,
  task: ExportSetTask,
  { format, kept }: Planning,
): Promise<ExportPlan | null> {
  const plan = await planOf(one, task, { kept, format });
  const episodes: ExportPlan['episodes'][number][] = [];
  const recordings: number[] = [];
  for await (const episode of kept.episodes({ hashes: false, copies: false })) {
    for (const part of partsOf(episode, plan)) {
      const extras = { picturesOf: noPictures, judgement: null, annotated: null };
      // A recording has samples, and no rows.
      const rows =
        format.id === 'mcap'
          ? samplesOf(episode, plan)
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

const samplesOf = ({ streams }: Episode, { edited }: SetPlan): number =>
  streams.reduce((sum, { id, sample_count }) => sum + (edited.has(id) ? sample_count : 0), 0);

const noPictures = (): never => {
  throw new AssayError('internal', 'a plan looks at no picture');
};
