import { AssayError, countPhrase, type JsonObject } from '#core';
import type { LayerId } from '#core/api';
import type { Episode } from '#core/episode';
import {
  computeEditedParts,
  type EpisodePart,
  type EpisodeSummary,
  ExportEpisode,
  type ExportFormat,
  type ExportWriter,
  type OpenWriter,
  planSet,
  type SetPlan,
  summariseEpisode,
} from '#formats/write';
import { createMediaService } from '#io/media';
import type { OpenedDataset } from '../find-datasets.ts';
import { AnnotationTracker } from '../read-annotations.ts';
import { cameraPictures } from './camera-pictures.ts';
import {
  type ExportedSet,
  type ExportHooks,
  type ExportSetTask,
  editSteps,
  type WrittenEpisode,
} from './export-request.ts';
import { toJudgement } from './judged-facts.ts';
import type { EpisodeReader } from './read-kept.ts';

interface WriteTools {
  readonly format: ExportFormat;
  readonly open: OpenWriter;
  readonly kept: EpisodeReader;
  readonly hooks: ExportHooks;
}

interface PlanInputs extends Pick<WriteTools, 'kept' | 'format'> {
  readonly onEpisode?: (episode: Episode) => void;
}

/**
 * Writes the kept episodes as a set into `task.folder` and returns its summary. Reads them twice: to plan the set, then to
 * write it.
 * @throws `usage` if the format can store none of their streams, `not_ready` if a file changed meanwhile
 */
export async function writeSet(
  one: OpenedDataset,
  task: ExportSetTask,
  { format, open, kept, hooks }: WriteTools,
): Promise<ExportedSet> {
  const { signal, onProgress } = hooks;
  const onStep = () => onProgress(0);
  const source = hooks.annotations;
  const annotated_layers = new Set<LayerId>();
  const onEpisode = (episode: Episode) => {
    for (const layer of source?.layers(episode) ?? []) annotated_layers.add(layer);
  };
  const plan = await planEpisodes(one, task, { kept, format, onEpisode });
  const media = createMediaService({ children: 1, onAlive: onStep });
  let writer: ExportWriter | null = null;
  try {
    writer = await open({ folder: task.folder, plan, layers: annotated_layers, signal, onStep });
    const holes: JsonObject[] = [];
    const written: WrittenEpisode[] = [];
    const tracker = new AnnotationTracker();
    for await (const episode of kept.episodes({})) {
      kept.recordStamps();
      const openPictures = cameraPictures(one, episode, { media, signal });
      const annotated = tracker.read(episode.id, (await source?.read(episode)) ?? null);
      const judgement = toJudgement(task.sources[0].judged, episode, annotated);
      for (const part of cutEpisode(episode, plan)) {
        const extras = { openPictures, judgement, annotated };
        const own = new ExportEpisode(episode, written.length, plan, extras, part);
        await writer.add(own);
        if (own.left_out > 0) holes.push(leftOutEdit(own));
        written.push({ source: 0, id: episode.id, rows: part?.rows ?? null, ...tracker.hashes(episode.id) });
      }
      onProgress(1);
    }
    const { rows, edits } = written.length === 0 ? { rows: 0, edits: [] } : await writer.finish();
    if (rows === 0 && written.length > 0) throw nothingFitsError(format, plan);
    kept.requireUnchanged();
    return {
      format: task.format,
      rows,
      episodes: written,
      edits: [
        ...plan.steps.map(({ lineage }) => lineage),
        ...listSourceLosses(one),
        ...edits,
        ...holes,
        ...tracker.lineageEdits(),
      ],
      sources: [[...kept.sources]],
    };
  } finally {
    await writer?.close();
    await media.close();
  }
}

/** Returns the plan of the set of the kept episodes, reading them once. Throws `usage` if the format cannot hold them. */
export async function planEpisodes(
  { dataset }: OpenedDataset,
  task: ExportSetTask,
  { kept, format, onEpisode }: PlanInputs,
): Promise<SetPlan> {
  const summaries: EpisodeSummary[] = [];
  let robot = dataset.facts.robot;
  for await (const episode of kept.episodes({ hashes: false, copies: false, reuse_arrays: true })) {
    robot ??= episode.robot;
    onEpisode?.(episode);
    summaries.push({ id: episode.id, streams: summariseEpisode(episode) });
  }
  if (!format.kinds.includes('vision-asset') && summaries.every(isLonePicture))
    throw unsupportedError(
      format,
      format.otherwise,
      'use image-folder, coco-detection or webdataset for images',
    );
  const plan = planSet(summaries, {
    robot,
    declared_rate_hz: dataset.facts.declared_rate_hz,
    rate_hz: task.rate_hz ?? null,
    pictures_only: format.pictures_only ?? false,
    steps: editSteps(task),
  });
  // MCAP can hold streams that do not fit into rows.
  if (format.id !== 'mcap' && plan.features.length + plan.cameras.length === 0)
    throw nothingFitsError(format, plan);
  return plan;
}

/** Returns the error `usage` for recordings of which a format can store no stream, with the reasons. */
export function nothingFitsError(format: ExportFormat, { edits }: SetPlan): AssayError {
  const reasons = edits.flatMap(({ edit, feature, reason }) =>
    edit === 'drop_feature' ? [`${feature}: ${reason}`] : [],
  );
  const why = format.pictures_only === true ? format.otherwise : 'none of the streams can be stored as rows';
  const listed = reasons.slice(0, 3).join('; ');
  return unsupportedError(
    format,
    why,
    `${listed}${reasons.length > 3 ? `; and ${reasons.length - 3} more` : ''}`,
  );
}

const unsupportedError = ({ title }: ExportFormat, why: string, advice: string): AssayError =>
  new AssayError('usage', `${title} cannot store these recordings: ${why}`, { advice });

/**
 * Returns the parts that an episode is cut into by the edits, or `[null]` (the whole episode) if no edit works on
 * rows.
 */
export function cutEpisode(episode: Episode, plan: SetPlan): readonly (EpisodePart | null)[] {
  return plan.steps.some(({ rows }) => rows !== undefined) ? computeEditedParts(episode, plan) : [null];
}

const isLonePicture = ({ streams }: EpisodeSummary): boolean =>
  streams.every(({ modality, samples, first_s }) => modality === 'image' && samples <= 1 && first_s === null);

/** Returns edits for source data that no reader provides. */
function listSourceLosses({ dataset }: OpenedDataset): JsonObject[] {
  if (dataset.facts.format !== 'coco') return [];
  const reason = 'masks, crowd flags and keypoints are not exported; boxes and categories are';
  return [{ edit: 'drop_feature', feature: 'segmentation', reason }];
}

const leftOutEdit = ({ episode, left_out }: ExportEpisode): JsonObject => ({
  edit: 'leave_out_rows',
  episode: episode.id,
  rows: left_out,
  reason: `${countPhrase(left_out, 'rows are')} dropped from ${episode.id}: a camera, action or state has no recent enough sample before them`,
});
