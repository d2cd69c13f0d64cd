import { LeRobotCopy, type LeRobotVersion, lerobotLayouts, trainingEpisode } from '#exports';
import type { JsonObject } from '#kernel';
import type { Found } from '../look/datasets.ts';
import type { ExportedSet, ExportHooks, ExportSetTask } from './export-task.ts';
import type { KeptReading } from './read-kept.ts';

/** Copies rows and video packets of a LeRobot set. */
export async function copyLeRobot(
  { root, dataset }: Found,
  { keep, folder, format }: ExportSetTask & { readonly format: LeRobotVersion },
  kept: KeptReading,
  { signal, onProgress }: ExportHooks,
): Promise<ExportedSet> {
  let reported = 0;
  const copy = new LeRobotCopy(folder, root, {
    layout: lerobotLayouts[format],
    signal,
    onProgress: (done, total) => {
      const whole = Math.floor((done / total) * keep.length);
      onProgress(whole - reported);
      reported = whole;
    },
  });
  const rate_hz = dataset.facts.declared_rate_hz ?? 0;
  for await (const episode of kept.episodes({ reuse_arrays: true }))
    copy.add(trainingEpisode(episode, root, rate_hz));
  kept.note();
  await copy.finish();
  kept.demandUnchanged();
  return { format, rows: copy.rows, edits: editsOf(copy), sources: [...kept.sources] };
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
