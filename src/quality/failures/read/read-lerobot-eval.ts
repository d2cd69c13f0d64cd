import { z } from 'zod';
import { type FailureFile, recordsOf, unreadable } from './failure-file.ts';

/** `eval_info.json` as lerobot-eval writes it: tasks of suites, or one environment by itself (before 0.4). */
const evaluationSchema = z.union([
  z.object({
    per_task: z.array(
      z.object({
        task_group: z.string(),
        task_id: z.union([z.int(), z.string()]),
        metrics: z.object({ successes: z.array(z.boolean().nullable()) }),
      }),
    ),
  }),
  z.object({ per_episode: z.array(z.object({ episode_ix: z.int(), success: z.boolean().nullable() })) }),
]);

/** Attempts that did not succeed. Such a file names suites and numbers, no trajectory and no words of a task. */
export function readLerobotEval(json: unknown, path: string): FailureFile {
  const read = evaluationSchema.safeParse(json);
  if (!read.success) throw unreadable(path, 'it has neither per_task nor per_episode of lerobot-eval');
  const attempts =
    'per_task' in read.data
      ? read.data.per_task.flatMap(({ task_group, task_id, metrics }) =>
          metrics.successes.map((success, i) => ({ id: `${task_group}/${task_id}/${i}`, success })),
        )
      : read.data.per_episode.map(({ episode_ix, success }) => ({ id: String(episode_ix), success }));
  const failed = attempts.filter(({ success }) => success === false);
  const unknown = attempts.filter(({ success }) => success === null).length;
  return {
    records: recordsOf(
      failed.map(({ id }) => ({ id })),
      path,
      (i) => `attempt ${failed[i].id}`,
    ),
    notes: [
      `${attempts.length - failed.length - unknown} of ${attempts.length} attempts succeeded`,
      ...(unknown === 0 ? [] : [`of ${unknown} attempts the file does not say whether they succeeded`]),
    ],
  };
}
