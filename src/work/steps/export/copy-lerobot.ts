import { LeRobotCopy, type LeRobotVersion, lerobotLayouts, readEdits, trainingEpisode } from '#exports';
import { AssayError, type JsonObject } from '#kernel';
import type { Found } from '../look/datasets.ts';
import type { ExportedSet, ExportHooks, ExportSetTask } from './export-task.ts';
import type { KeptReading } from './read-kept.ts';

/** Copies rows and video packets of a LeRobot set. */
export async function copyLeRobot(
  { root, dataset }: Found,
  {
    keep,
    folder,
    format,
    edits = {},
    rate_hz: asked_hz,
  }: ExportSetTask & { readonly format: LeRobotVersion },
  kept: KeptReading,
  { signal, onProgress }: ExportHooks,
): Promise<ExportedSet> {
  const rate_hz = dataset.facts.declared_rate_hz ?? 0;
  if (asked_hz !== undefined && asked_hz !== rate_hz) throw otherRate(rate_hz);
  const steps = readEdits(edits);
  let reported = 0;
  const copy = new LeRobotCopy(folder, root, {
    layout: lerobotLayouts[format],
    edits: steps,
    signal,
    onProgress: (done, total) => {
      const whole = Math.floor((done / total) * keep.length);
      onProgress(whole - reported);
      reported = whole;
    },
  });
  for await (const episode of kept.episodes({ reuse_arrays: true }))
    copy.add(trainingEpisode(episode, root, rate_hz));
  kept.note();
  await copy.finish();
  kept.demandUnchanged();
  const made = steps.map(({ lineage }) => lineage);
  return {
    format,
    rows: copy.rows,
    episodes: copy.kept.map(({ id, first, rows, whole }) => ({
      id,
      rows: whole ? null : [first, first + rows],
    })),
    edits: [...made, ...editsOf(copy)],
    sources: [...kept.sources],
  };
}

function otherRate(rate_hz: number): AssayError {
  return new AssayError('usage', `a LeRobot set is copied at its own rate, ${rate_hz} Hz`, {
    advice: 'leave --rate out; formats other than LeRobot can be written at another rate',
  });
}

function editsOf({ absent, hidden }: LeRobotCopy): JsonObject[] {
  return [
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
