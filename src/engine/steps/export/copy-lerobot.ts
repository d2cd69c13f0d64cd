import type { JsonObject } from '#core';
import { counted } from '#core';
import type { Episode } from '#core/episode';
import {
  type CopiedAnnotations,
  LeRobotCopy,
  type LeRobotVersion,
  lerobotLayouts,
  type TrainingVideo,
  taskTexts,
  trainingEpisode,
} from '#formats/write';
import { createMediaService, type MediaService } from '#io/media';
import { AnnotationNotes } from '../annotated/annotation-notes.ts';
import type { Found } from '../look/datasets.ts';
import { type Decoding, wholeCamera } from './camera-pictures.ts';
import { copySource } from './check-export.ts';
import { editSteps } from './edit-steps.ts';
import type { ExportedSet, ExportHooks, ExportPlan, ExportSetTask, ExportSource } from './export-task.ts';
import type { KeptReading } from './read-kept.ts';

/** A set that is copied from, and how its kept episodes are read. */
interface CopiedSource {
  readonly source: ExportSource;
  readonly found: Found;
  readonly kept: KeptReading;
}

interface CopyTask extends Omit<ExportSetTask, 'format'> {
  readonly format: LeRobotVersion;
}

/** Copies rows and video packets of LeRobot sets. */
export async function copyLeRobot(
  sources: readonly CopiedSource[],
  task: CopyTask,
  hooks: ExportHooks,
): Promise<ExportedSet> {
  const { format, rate_hz = null } = task;
  const media = createMediaService({ children: 1, onAlive: () => hooks.onProgress(0) });
  const copy = openCopy(sources, task, { media, hooks });
  const told = new AnnotationNotes();
  try {
    await addAll(copy, sources, async ({ id, index, tasks }) => {
      const said = told.of(id, (await hooks.annotations?.read({ id, index })) ?? null);
      return said === null ? null : { ...said, tasks: taskTexts({ tasks }) };
    });
    if (!copy.isEmpty) await copy.finish();
  } finally {
    await copy.close();
    await media.close();
  }
  for (const { kept } of sources) kept.demandUnchanged();
  return {
    format,
    rows: copy.rows,
    episodes: copy.kept.map(({ source, id, first, until, whole }) => ({
      source,
      id,
      rows: whole ? null : [first, until],
      ...told.hashes(id),
    })),
    edits: [
      ...mapped(sources),
      ...editSteps(task).map(({ lineage }) => lineage),
      ...resampled(rate_hz, sources),
      ...editsOf(copy),
      ...told.edits(),
    ],
    sources: sources.map(({ kept }) => [...kept.sources]),
  };
}

/** What a copy would be; null where the edits leave no row. Nothing is written. */
export async function planLeRobot(
  sources: readonly CopiedSource[],
  task: CopyTask,
  hooks: ExportHooks,
): Promise<ExportPlan | null> {
  const media = createMediaService({ children: 1 });
  const copy = openCopy(sources, task, { media, hooks });
  try {
    await addAll(copy, sources, async () => null);
    if (copy.isEmpty) return null;
    const steps = editSteps(task).map(({ lineage }) => lineage);
    const edits = [...mapped(sources), ...steps, ...resampled(task.rate_hz ?? null, sources)];
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
  const roots = sources.map(({ found, source }) => copySource(found, source));
  return new LeRobotCopy(folder, roots, {
    layout: lerobotLayouts[format],
    edits: editSteps(task),
    rate_hz,
    decode: (video, places) => decodeSpan(video, places, { media, signal: hooks.signal }),
    signal: hooks.signal,
    onProgress: inEpisodes(sources, hooks),
  });
}

async function addAll(
  copy: LeRobotCopy,
  sources: readonly CopiedSource[],
  toldOf: (episode: Episode) => Promise<CopiedAnnotations | null>,
): Promise<void> {
  for (const [place, { found, kept }] of sources.entries()) {
    const rate_hz = found.dataset.facts.declared_rate_hz ?? 0;
    for await (const episode of kept.episodes({ reuse_arrays: true }))
      await copy.add(place, trainingEpisode(episode, found.root, rate_hz), await toldOf(episode));
    kept.note();
  }
}

/** Tells what is done as so many of the kept episodes. */
function inEpisodes(sources: readonly CopiedSource[], { onProgress }: ExportHooks) {
  const all = sources.reduce((sum, { source }) => sum + source.keep.length, 0);
  let reported = 0;
  return (done: number, total: number) => {
    const whole = Math.floor((done / total) * all);
    onProgress(whole - reported);
    reported = whole;
  };
}

const mapped = (sources: readonly CopiedSource[]): JsonObject[] =>
  sources.flatMap(({ source: { name, names } }) =>
    Object.keys(names).length === 0 ? [] : [{ edit: 'map', source: name, names: { ...names } }],
  );

/** Frames of a span of a video file. */
function decodeSpan(
  { key, path, from_s, until_s }: TrainingVideo,
  places: ReadonlySet<number>,
  decoding: Decoding,
) {
  const locator = { type: 'video', path, from_s, to_s: until_s, expected_frames: null } as const;
  const frames = { locator, declared_size_px: null, declared_codec: null };
  return wholeCamera('/', { id: key, declared_rate_hz: null, stamps_s: null }, frames, places, decoding);
}

function resampled(rate_hz: number | null, [{ found }]: readonly CopiedSource[]): JsonObject[] {
  const from_hz = found.dataset.facts.declared_rate_hz;
  if (rate_hz === null || rate_hz === from_hz) return [];
  const rule = `rows lie evenly at ${rate_hz} Hz instead of ${from_hz}; each takes the latest row of the source at or before it, at most two of its steps old (20 ms at least)`;
  return [{ edit: 'align', from_hz, rate_hz, rule }];
}

function editsOf({ absent, hidden, encoded, holes }: LeRobotCopy): JsonObject[] {
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
      reason: `${counted(rows, 'rows are')} left out of ${episode}: the source has no row near enough before them`,
    })),
    ...absent.map((feature) => ({
      edit: 'drop_feature',
      feature,
      reason: 'the source declares it, and no kept episode has a file of it',
    })),
    ...[...hidden].map(([camera, episodes]) => ({
      edit: 'hide_frames',
      feature: camera,
      episodes,
      reason: 'they begin between key frames; the edit list of their file leaves out the frames before',
    })),
  ];
}
