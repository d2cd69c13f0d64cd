import { parseCsv } from '#formats';
import { type FailureFile, recordsOf, unreadable } from './failure-file.ts';

const texts = ['id', 'task', 'failure_mode', 'occurred_at', 'episode', 'recording'];

/** A heading, then one failure a line; columns that are not known are passed over and noted. */
export function readCsv(text: string, path: string): FailureFile {
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
