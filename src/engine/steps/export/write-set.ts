import { AssayError, counted, type JsonObject } from '#core';
import type { LayerId } from '#core/api';
import type { Episode } from '#core/episode';
import {
  type EpisodePart,
  type EpisodeSummary,
  ExportEpisode,
  type ExportFormat,
  type ExportWriter,
  editedParts,
  type OpenWriter,
  planSet,
  type SetPlan,
  summariseEpisode,
} from '#formats/write';
import { createMediaService } from '#io/media';
import { AnnotationNotes } from '../annotated/annotation-notes.ts';
import type { Found } from '../look/datasets.ts';
import { cameraPictures } from './camera-pictures.ts';
import { editSteps } from './edit-steps.ts';
import type { ExportedSet, ExportHooks, ExportSetTask, WrittenEpisode } from './export-task.ts';
import { judgementOf } from './judged-facts.ts';
import type { KeptReading } from './read-kept.ts';

interface Writing {
  readonly format: ExportFormat;
  readonly open: OpenWriter;
  readonly kept: KeptReading;
  readonly hooks: ExportHooks;
}

interface Planning extends Pick<Writing, 'kept' | 'format'> {
  readonly onEpisode?: (episode: Episode) => void;
}

/** Reads the kept episodes twice: once for what they have in common, once to write them. */
export async function writeSet(
  one: Found,
  task: ExportSetTask,
  { format, open, kept, hooks }: Writing,
): Promise<ExportedSet> {
  const { signal, onProgress } = hooks;
  const onStep = () => onProgress(0);
  const says = hooks.annotations;
  const annotated_layers = new Set<LayerId>();
  const onEpisode = (episode: Episode) => {
    for (const layer of says?.layers(episode) ?? []) annotated_layers.add(layer);
  };
  const plan = await planOf(one, task, { kept, format, onEpisode });
  const media = createMediaService({ children: 1, onAlive: onStep });
  let writer: ExportWriter | null = null;
  try {
    writer = await open({ folder: task.folder, plan, layers: annotated_layers, signal, onStep });
    const holes: JsonObject[] = [];
    const written: WrittenEpisode[] = [];
    const told = new AnnotationNotes();
    for await (const episode of kept.episodes({})) {
      kept.note();
      const picturesOf = cameraPictures(one, episode, { media, signal });
      const annotated = told.of(episode.id, (await says?.read(episode)) ?? null);
      const judgement = judgementOf(task.sources[0].judged, episode, annotated);
      for (const part of partsOf(episode, plan)) {
        const extras = { picturesOf, judgement, annotated };
        const own = new ExportEpisode(episode, written.length, plan, extras, part);
        await writer.add(own);
        if (own.left_out > 0) holes.push(leftOut(own));
        written.push({ source: 0, id: episode.id, rows: part?.rows ?? null, ...told.hashes(episode.id) });
      }
      onProgress(1);
    }
    const { rows, edits } = written.length === 0 ? { rows: 0, edits: [] } : await writer.finish();
    if (rows === 0 && written.length > 0) throw holdsNothing(format, plan);
    kept.demandUnchanged();
    return {
      format: task.format,
      rows,
      episodes: written,
      edits: [
        ...plan.steps.map(({ lineage }) => lineage),
        ...lostOf(one),
        ...edits,
        ...holes,
        ...told.edits(),
      ],
      sources: [[...kept.sources]],
    };
  } finally {
    await writer?.close();
    await media.close();
  }
}

/** What the kept episodes become. Reads them once. Throws as `exportSet`. */
export async function planOf(
  { dataset }: Found,
  task: ExportSetTask,
  { kept, format, onEpisode }: Planning,
): Promise<SetPlan> {
  const summaries: EpisodeSummary[] = [];
  let robot = dataset.facts.robot;
  for await (const episode of kept.episodes({ hashes: false, copies: false, reuse_arrays: true })) {
    robot ??= episode.robot;
    onEpisode?.(episode);
    summaries.push({ id: episode.id, streams: summariseEpisode(episode) });
  }
  if (!format.kinds.includes('vision-asset') && summaries.every(isLonePicture))
    throw unfit(format, format.otherwise, 'use image-folder, coco-detection or webdataset for pictures');
  const plan = planSet(summaries, {
    robot,
    declared_rate_hz: dataset.facts.declared_rate_hz,
    rate_hz: task.rate_hz ?? null,
    pictures_only: format.pictures_only ?? false,
    steps: editSteps(task),
  });
  // MCAP holds streams that no row can.
  if (format.id !== 'mcap' && plan.features.length + plan.cameras.length === 0)
    throw holdsNothing(format, plan);
  return plan;
}

function holdsNothing(format: ExportFormat, { edits }: SetPlan): AssayError {
  const reasons = edits.flatMap(({ edit, feature, reason }) =>
    edit === 'drop_feature' ? [`${feature}: ${reason}`] : [],
  );
  const why = format.pictures_only === true ? format.otherwise : 'none of their streams fits into rows';
  const shown = reasons.slice(0, 3).join('; ');
  return unfit(format, why, `${shown}${reasons.length > 3 ? `; and ${reasons.length - 3} more` : ''}`);
}

const unfit = ({ title }: ExportFormat, why: string, advice: string): AssayError =>
  new AssayError('usage', `${title} cannot hold these recordings: ${why}`, { advice });

/** Where no edit looks at rows each episode stays as it is, and its rows are laid only where a format wants them. */
export function partsOf(episode: Episode, plan: SetPlan): readonly (EpisodePart | null)[] {
  return plan.steps.some(({ rows }) => rows !== undefined) ? editedParts(episode, plan) : [null];
}

const isLonePicture = ({ streams }: EpisodeSummary): boolean =>
  streams.every(({ modality, samples, first_s }) => modality === 'image' && samples <= 1 && first_s === null);

/** What of a source no reader gives, and so no export holds. */
function lostOf({ dataset }: Found): JsonObject[] {
  if (dataset.facts.format !== 'coco') return [];
  const reason = 'masks, crowd marks and key points are not carried along; boxes and categories are';
  return [{ edit: 'drop_feature', feature: 'segmentation', reason }];
}

const leftOut = ({ episode, left_out }: ExportEpisode): JsonObject => ({
  edit: 'leave_out_rows',
  episode: episode.id,
  rows: left_out,
  reason: `${counted(left_out, 'rows are')} left out of ${episode.id}: a camera, an action or a state has no sample near enough before them`,
});
