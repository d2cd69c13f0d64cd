import { z } from 'zod';
import { AssayError, parseTolerantJson } from '#core';
import { type FailureFormat, type FailureRecord, failureRecordSchema, maxFailures } from '#core/api';
import { parseCsv } from '#formats';

/**
 * Parses the text of a failure file; throws `unreadable_input`, also if it contains no failures, and
 * `limit_exceeded`, with `path` and location.
 */
export function readFailures(text: string, format: FailureFormat, path: string): FailureFile {
  const file = format === 'csv' ? readCsv(text, path) : readJson(text, format, path);
  if (file.records.length === 0)
    throw unreadable(path, ['it contains no failures', ...file.notes].join('; '));
  return file;
}

function readJson(text: string, format: FailureFormat, path: string): FailureFile {
  const { value } = parseTolerantJson(text, path);
  if (format === 'lerobot-eval') return readLerobotEval(value, path);
  const rows = Array.isArray(value) ? value : findFailureList(value);
  if (rows === null) throw unreadable(path, 'expected a list or an object with a list "failures"');
  return { records: parseRecords(rows, path, (i) => `record ${i + 1}`), notes: [] };
}

function findFailureList(value: unknown): readonly unknown[] | null {
  if (typeof value !== 'object' || value === null || !('failures' in value)) return null;
  return Array.isArray(value.failures) ? value.failures : null;
}

/**
 * Detects the format of a failure file by its extension, and for `.json` by the first 100,000 characters; returns
 * `null` unless it is `.csv` or `.json`, so that it may be a recording.
 */
export function detectFailureFormat(name: string, text: string): FailureFormat | null {
  if (/\.csv$/i.test(name)) return 'csv';
  if (!/\.json$/i.test(name)) return null;
  return /"per_(task|episode)"\s*:/.test(text.slice(0, 100_000)) ? 'lerobot-eval' : 'json';
}

const textColumns = ['id', 'task', 'failure_mode', 'occurred_at', 'episode', 'recording'];

/** Reads a CSV file with a header and one failure per line; skips unknown columns and notes them. */
function readCsv(text: string, path: string): FailureFile {
  const [heading, ...lines] = parseCsv(text);
  if (heading === undefined) throw unreadable(path, 'it is empty');
  const names = heading.map((name) => name.trim());
  const knownColumns = new Set([...textColumns, 'time_s']);
  if (!names.some((name) => knownColumns.has(name)))
    throw unreadable(path, `the header has none of the columns ${[...knownColumns].join(', ')}`);
  const unknownColumns = names.filter((name) => !knownColumns.has(name));
  const rows = lines.map((fields, i) => {
    const row: Record<string, unknown> = { id: `line ${i + 2}` };
    for (const [column, name] of names.entries()) {
      const value = (fields[column] ?? '').trim();
      if (value === '' || !knownColumns.has(name)) continue;
      row[name] = name === 'time_s' ? Number(value) : value;
    }
    return row;
  });
  return {
    records: parseRecords(rows, path, (i) => `line ${i + 2}`),
    notes: unknownColumns.length === 0 ? [] : [`ignored columns: ${unknownColumns.join(', ')}`],
  };
}

/** Schema of `eval_info.json` of lerobot-eval: tasks of suites, or a single environment (before 0.4). */
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

/** Reads failed attempts from an evaluation. Such a file has ids only, without trajectories or task texts. */
function readLerobotEval(json: unknown, path: string): FailureFile {
  const read = evaluationSchema.safeParse(json);
  if (!read.success) throw unreadable(path, 'neither per_task nor per_episode (lerobot-eval) found');
  const attempts =
    'per_task' in read.data
      ? read.data.per_task.flatMap(({ task_group, task_id, metrics }) =>
          metrics.successes.map((success, i) => ({ id: `${task_group}/${task_id}/${i}`, success })),
        )
      : read.data.per_episode.map(({ episode_ix, success }) => ({ id: String(episode_ix), success }));
  const failed = attempts.filter(({ success }) => success === false);
  const unknown = attempts.filter(({ success }) => success === null).length;
  return {
    records: parseRecords(
      failed.map(({ id }) => ({ id })),
      path,
      (i) => `attempt ${failed[i].id}`,
    ),
    notes: [
      `${attempts.length - failed.length - unknown} of ${attempts.length} attempts succeeded`,
      ...(unknown === 0 ? [] : [`${unknown} attempts without a success value`]),
    ],
  };
}

/** Failures read from a file. */
export interface FailureFile {
  readonly records: readonly FailureRecord[];
  /** Notes on content that was skipped, for users. */
  readonly notes: readonly string[];
}

/**
 * Parses rows of a file as records. Throws `unreadable_input` for the first invalid or repeated one, `limit_exceeded`
 * for too many rows.
 */
function parseRecords(rows: readonly unknown[], path: string, where: (i: number) => string): FailureRecord[] {
  if (rows.length > maxFailures)
    throw new AssayError(
      'limit_exceeded',
      `${path} has ${rows.length} failures; the maximum per file is ${maxFailures}`,
      {
        path,
        advice: 'split the file',
      },
    );
  const seenIds = new Set<string>();
  return rows.map((row, i) => {
    const read = failureRecordSchema.safeParse(row);
    if (!read.success) {
      const [{ path: at, message }] = read.error.issues;
      throw unreadable(path, `${where(i)}: ${at.join('/') || 'the record'}: ${message}`);
    }
    if (seenIds.has(read.data.id)) throw unreadable(path, `${where(i)}: duplicate id ${read.data.id}`);
    seenIds.add(read.data.id);
    return read.data;
  });
}

/** Returns an `unreadable_input` error for a file of failures. */
const unreadable = (path: string, why: string): AssayError =>
  new AssayError('unreadable_input', `${path} is not a valid failure file: ${why}`, {
    path,
    advice: 'see docs/failures.md for the file format',
  });
