import { AssayError } from '#core';
import type { Episode } from '#core/episode';
import { ExportEpisode, type ExportFormat, type SetPlan } from '#formats/write';
import type { Found } from '../look/datasets.ts';
import type { ExportPlan, ExportSetTask } from './export-task.ts';
import type { KeptReading } from './read-kept.ts';
import { partsOf, planOf } from './write-set.ts';

interface Planning {
  readonly format: ExportFormat;
  readonly kept: KeptReading;
}

/** What `writeSet` would write, without a look at any picture; null where the edits leave no row. */
export async function planWritten(
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
