import { AssayError, type ErrorCode } from '#core';
import type { Finding } from '#core/episode';
import type { FileEntry, SourceTree } from '#io/sources';

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

/** Where no reader recognises anything: what is there, and whether it could be looked at. */
export function notRecognised(
  { label: path, files }: SourceTree,
  known: number,
  findings: readonly Finding[],
): AssayError {
  const named = findings.filter((finding) => finding.severity !== 'info').slice(0, 5);
  const why = named.length === 0 ? whatIsThere(files) : named.map((finding) => finding.message).join('; ');
  const looked = `${known} formats are known, LeRobot, MCAP and ROS bags among them: docs/formats.md lists them`;
  const todo = adviceOf(findings);
  const closed = findings.filter(({ code }) => isClosed.has(code));
  if (closed.length > 0) {
    const said = closed.slice(0, 3).map(({ message }) => message);
    const rest = files.length > closed.length ? `; nothing else in ${path} is a recording` : '';
    const { advice } = closed[0];
    return new AssayError('not_permitted', `${said.join('; ')}${rest}`, { path, advice });
  }
  return new AssayError('not_recognised', `${path} holds no recording that is known: ${why}`, {
    path,
    advice: `${todo}; ${looked}`,
  });
}

/** Pointers and empty files hold what was recorded once they are fetched. */
function adviceOf(findings: readonly Finding[]): string {
  const unmapped = findings.find(({ code }) => code === 'signals_unmapped');
  if (unmapped !== undefined) return `${unmapped.advice} (${unmapped.message})`;
  const away = findings.find(({ code }) => code === 'lfs_pointer' || code === 'file_empty');
  return (
    away?.advice ?? 'pass the folder that a whole recording or set of them lies in, or a recording itself'
  );
}

const isClosed: ReadonlySet<string> = new Set(['file_not_permitted', 'folder_not_permitted']);

function whatIsThere(files: readonly FileEntry[]): string {
  if (files.length === 0) return 'there is no file in it';
  const some = files.slice(0, 3).map((file) => file.path);
  const more = files.length > some.length ? ` and ${files.length - some.length} more` : '';
  return files.length === 1
    ? `${some[0]} is not one`
    : `none of its files is one (${some.join(', ')}${more})`;
}
