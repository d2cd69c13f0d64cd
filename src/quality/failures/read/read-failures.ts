import { parseTolerantJson } from '#core';
import type { FailureFormat } from '#core/api';
import type { FailureFile } from './failure-file.ts';
import { recordsOf, unreadable } from './failure-file.ts';
import { readCsv } from './read-csv.ts';
import { readLerobotEval } from './read-lerobot-eval.ts';

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
