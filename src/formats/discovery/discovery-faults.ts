import type { Finding } from '#episode';
import { AssayError, type ErrorCode } from '#kernel';
import type { FileEntry, SourceTree } from '#sources';
import type { FormatReader } from '../reader.ts';

/** Where none of what was recognised could be opened: the fault of all, or of each. */
export function noneOpened(failures: readonly { path: string; error: AssayError }[]): AssayError {
  const [first] = failures;
  const said = failures.map(({ path, error }) => (path === '' ? error.message : `${path}: ${error.message}`));
  const codes = new Set(failures.map(({ error }) => error.code));
  // What could not be opened here and now may hold what can be read.
  const code: ErrorCode = codes.has('unfinished')
    ? 'unfinished'
    : codes.size === 1
      ? first.error.code
      : 'unreadable_input';
  return new AssayError(code, said.join('; '), {
    path: [first.path, first.error.path ?? ''].filter((part) => part !== '').join('/'),
    advice: first.error.advice ?? 'repair the dataset',
    cause: first.error,
  });
}

/** Where no reader recognises anything: what is there, and what was looked for. */
export function notRecognised(
  { label: path, files }: SourceTree,
  known: readonly FormatReader[],
  findings: readonly Finding[],
): AssayError {
  const named = findings.filter((finding) => finding.severity !== 'info').slice(0, 5);
  const why = named.length === 0 ? whatIsThere(files) : named.map((finding) => finding.message).join('; ');
  const looked = `looked for: ${known.map((reader) => reader.title).join('; ')}`;
  const unmapped = findings.find((finding) => finding.code === 'signals_unmapped');
  const todo =
    unmapped === undefined
      ? 'pass the folder that a whole recording or set of them lies in, or a recording itself'
      : `${unmapped.advice} (${unmapped.message})`;
  return new AssayError('not_recognised', `${path} holds no recording that is known: ${why}`, {
    path,
    advice: `${todo}; ${looked}`,
  });
}

function whatIsThere(files: readonly FileEntry[]): string {
  if (files.length === 0) return 'there is no file in it';
  const some = files.slice(0, 3).map((file) => file.path);
  const more = files.length > some.length ? ` and ${files.length - some.length} more` : '';
  return files.length === 1
    ? `${some[0]} is not one`
    : `none of its files is one (${some.join(', ')}${more})`;
}
