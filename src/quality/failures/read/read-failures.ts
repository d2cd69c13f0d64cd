import { z } from 'zod';
import { parseTolerantJson } from '#core';
import type { FailureFormat } from '#core/api';
import { parseCsv } from '#formats';
import { type FailureFile, recordsOf, unreadable } from './failure-file.ts';

/** What a file of that format says failed. Throws `unreadable_input` and `limit_exceeded`, naming `path` and the place. */
export function readFailures(text: string, format: FailureFormat, path: string): FailureFile {
  const file = format === 'csv' ? readCsv(text, path) : ofJson(text, format, path);
  if (file.records.length === 0) throw unreadable(path, ['it names no failure', ...file.notes].join('; '));
  return file;
}

function ofJson(text: string, format: FailureFormat, path: string): FailureFile {
  const { value } = parseTolerantJson(text, path);
  if (format === 'lerobot-eval') return readLerobotEval(value, path);
  const rows = Array.isArray(value) ? value : listIn(value);
  if (rows === null) throw unreadable(path, 'it is neither a list nor an object with a list "failures"');
  return { records: recordsOf(rows, path, (i) => `record ${i + 1}`), notes: [] };
}

function listIn(value: unknown): readonly unknown[] | null {
  if (typeof value !== 'object' || value === null || !('failures' in value)) return null;
  return Array.isArray(value.failures) ? value.failures : null;
}

/** By a file's name and beginning; null: it is none of them, and may be a recording. */
export function failureFormatOf(name: string, text: string): FailureFormat | null {
  if (/\.csv$/i.test(name)) return 'csv';
  if (!/\.json$/i.test(name)) return null;
  return /"per_(task|episode)"\s*:/.test(text.slice(0, 100_000)) ? 'lerobot-eval' : 'json';
}

const texts = ['id', 'task', 'failure_mode', 'occurred_at', 'episode', 'recording'];

/** A heading, then one failure a line; columns that are not known are passed over and noted. */
function readCsv(text: string, path: string): FailureFile {
  const [heading, ...lines] = parseCsv(text);
  if (heading === undefined) throw unreadable(path, 'it is empty');
  const names = heading.map((name) => name.trim());
  const known = new Set([...texts, 'time_s']);
  if (!names.some((name) => known.has(name)))
    throw unreadable(path, `its first line names none of ${[...known].join(', ')}`);
  const others = names.filter((name) => !known.has(name));
  const rows = lines.map((fields, i) => {
    const row: Record<string, unknown> = { id: `line ${i + 2}` };
    for (const [column, name] of names.entries()) {
      const value = (fields[column] ?? '').trim();
      if (value === '' || !known.has(name)) continue;
      row[name] = name === 'time_s' ? Number(value) : value;
    }
    return row;
  });
  return {
    records: recordsOf(rows, path, (i) => `line ${i + 2}`),
    notes: others.length === 0 ? [] : [`columns that are not read: ${others.join(', ')}`],
  };
}

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
function readLerobotEval(json: unknown, path: string): FailureFile {
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
