import { countPhrase, type JsonObject } from '#core';
import type { Episode } from '#core/episode';
import {
  type CopiedAnnotations,
  LeRobotCopy,
  type LeRobotVersion,
  lerobotLayouts,
  type TrainingVideo,
  taskTexts,
  toTrainingEpisode,
} from '#formats/write';
import { createMediaService, type MediaService } from '#io/media';
import type { OpenedDataset } from '../find-datasets.ts';
import { AnnotationTracker } from '../read-annotations.ts';
import { type Decoding, decodeWholeCamera } from './camera-pictures.ts';
import { toCopySource } from './check-export.ts';
import {
  type ExportedSet,
  type ExportHooks,
  type ExportPlan,
  type ExportSetTask,
  type ExportSource,
  editSteps,
} from './export-request.ts';
import type { EpisodeReader } from './read-kept.ts';

/** A source set and the reader of its kept episodes. */
interface CopiedSource {
  readonly source: ExportSource;
  readonly found: OpenedDataset;
  readonly kept: EpisodeReader;
}

interface CopyTask extends Omit<ExportSetTask, 'format'> {
  readonly format: LeRobotVersion;
}

/**
 * Copies rows and video packets of LeRobot sets into a new set, applies the edits, and returns its summary; throws `not_ready`
 * if a source file changed meanwhile.
 */
export async function copyLeRobot(
  sources: readonly CopiedSource[],
  task: CopyTask,
  hooks: ExportHooks,
): Promise<ExportedSet> {
  const { format, rate_hz = null } = task;
  const media = createMediaService({ children: 1, onAlive: () => hooks.onProgress(0) });
  const copy = openCopy(sources, task, { media, hooks });
  const tracker = new AnnotationTracker();
  try {
    await addEpisodes(copy, sources, async ({ id, index, tasks }) => {
      const annotated = tracker.read(id, (await hooks.annotations?.read({ id, index })) ?? null);
      return annotated === null ? null : { ...annotated, tasks: taskTexts({ tasks }) };
    });
    if (!copy.isEmpty) await copy.finish();
  } finally {
    await copy.close();
    await media.close();
  }
  for (const { kept } of sources) kept.requireUnchanged();
  return {
    format,
    rows: copy.rows,
    episodes: copy.episodes.map(({ source, id, first, until, isWhole: whole }) => ({
      source,
      id,
      rows: whole ? null : [first, until],
      ...tracker.hashes(id),
    })),
    edits: [
      ...mapEdits(sources),
      ...editSteps(task).map(({ lineage }) => lineage),
      ...resampleEdits(rate_hz, sources),
      ...copyEdits(copy),
      ...tracker.lineageEdits(),
    ],
    sources: sources.map(({ kept }) => [...kept.sources]),
  };
}

/** Returns the plan for a copy of LeRobot episodes with edits, without writing anything; `null` if the edits leave no row. */
export async function planLeRobotCopy(
  sources: readonly CopiedSource[],
  task: CopyTask,
  hooks: ExportHooks,
): Promise<ExportPlan | null> {
  const media = createMediaService({ children: 1 });
  const copy = openCopy(sources, task, { media, hooks });
  try {
    await addEpisodes(copy, sources, async () => null);
    if (copy.isEmpty) return null;
    const steps = editSteps(task).map(({ lineage }) => lineage);
    const edits = [...mapEdits(sources), ...steps, ...resampleEdits(task.rate_hz ?? null, sources)];
    return { ...(await copy.plan()), edits };
  } finally {
    await media.close();
  }
}

function openCopy(
  sources: readonly CopiedSource[],
  task: CopyTask,
  { media, hooks }: { readonly media: MediaService; readonly hooks: ExportHooks },
): LeRobotCopy {
  const { folder, format, rate_hz = null } = task;
  const roots = sources.map(({ found, source }) => toCopySource(found, source));
  return new LeRobotCopy(folder, roots, {
    layout: lerobotLayouts[format],
    edits: editSteps(task),
    rate_hz,
    decode: (video, places) => decodeSpan(video, places, { media, signal: hooks.signal }),
    signal: hooks.signal,
    onProgress: episodeProgress(sources, hooks),
  });
}

async function addEpisodes(
  copy: LeRobotCopy,
  sources: readonly CopiedSource[],
  annotate: (episode: Episode) => Promise<CopiedAnnotations | null>,
): Promise<void> {
  for (const [place, { found, kept }] of sources.entries()) {
    const rate_hz = found.dataset.facts.declared_rate_hz ?? 0;
    for await (const episode of kept.episodes({ reuse_arrays: true }))
      await copy.add(place, toTrainingEpisode(episode, found.root, rate_hz), await annotate(episode));
    kept.recordStamps();
  }
}

/** Converts progress of the copy to a number of episodes. */
function episodeProgress(sources: readonly CopiedSource[], { onProgress }: ExportHooks) {
  const all = sources.reduce((sum, { source }) => sum + source.keep.length, 0);
  let reported = 0;
  return (done: number, total: number) => {
    const whole = Math.floor((done / total) * all);
    onProgress(whole - reported);
    reported = whole;
  };
}

const mapEdits = (sources: readonly CopiedSource[]): JsonObject[] =>
  sources.flatMap(({ source: { name, names } }) =>
    Object.keys(names).length === 0 ? [] : [{ edit: 'map', source: name, names: { ...names } }],
  );

/** Decodes frames of a span of a video file. */
function decodeSpan(
  { key, path, from_s, until_s }: TrainingVideo,
  places: ReadonlySet<number>,
  decoding: Decoding,
) {
  const locator = { type: 'video', path, from_s, to_s: until_s, expected_frames: null } as const;
  const frames = { locator, declared_size_px: null, declared_codec: null };
  return decodeWholeCamera(
    '/',
    { id: key, declared_rate_hz: null, stamps_s: null },
    frames,
    places,
    decoding,
  );
}

function resampleEdits(rate_hz: number | null, [{ found }]: readonly CopiedSource[]): JsonObject[] {
  const from_hz = found.dataset.facts.declared_rate_hz;
  if (rate_hz === null || rate_hz === from_hz) return [];
  const rule = `resampled to ${rate_hz} Hz from ${from_hz}; each row takes the latest source row at or before it, no older than two source steps or 20 ms, whichever is longer`;
  return [{ edit: 'align', from_hz, rate_hz, rule }];
}

function copyEdits({ hiddenFrames: hidden, encoded, skippedRows: holes }: LeRobotCopy): JsonObject[] {
  return [
    ...[...encoded].map(([camera, { codec, episodes }]) => ({
      edit: 'encode',
      feature: camera,
      from: [camera],
      codec,
      episodes,
    })),
    ...[...holes].map(([episode, rows]) => ({
      edit: 'leave_out_rows',
      episode,
      rows,
      reason: `${countPhrase(rows, 'rows are')} dropped from ${episode}: the source has no recent enough row before them`,
    })),
    ...[...hidden].map(([camera, episodes]) => ({
      edit: 'hide_frames',
      feature: camera,
      episodes,
      reason: 'they start between keyframes; the edit list of their file skips the frames before',
    })),
  ];
}
