import { AssayError, type ErrorCode } from '#core';
import type { Finding } from '#core/episode';
import type { FileEntry, SourceTree } from '#io/sources';
import { unreadFormatCode } from './unread-formats.ts';

/**
 * Returns the error for the case that no dataset could be opened, with all messages and the code `unfinished` if any
 * has it, else their common code, else `unreadable_input`.
 */
export function noneOpenedError(failures: readonly { path: string; error: AssayError }[]): AssayError {
  const [first] = failures;
  const messages = failures.map(({ path, error }) =>
    path === '' ? error.message : `${path}: ${error.message}`,
  );
  const codes = new Set(failures.map(({ error }) => error.code));
  // `unfinished` wins: such a dataset may be readable elsewhere or later.
  const code: ErrorCode = codes.has('unfinished')
    ? 'unfinished'
    : codes.size === 1
      ? first.error.code
      : 'unreadable_input';
  return new AssayError(code, messages.join('; '), {
    path: [first.path, first.error.path ?? ''].filter((part) => part !== '').join('/'),
    advice: first.error.advice ?? 'repair the dataset',
    cause: first.error,
  });
}

/**
 * Returns the error if no reader recognises anything: `not_permitted` if something could not be read, else
 * `not_recognised`, with what was found instead.
 */
export function notRecognisedError(
  { label: path, files }: SourceTree,
  known: number,
  findings: readonly Finding[],
): AssayError {
  const named = findings.filter((finding) => finding.severity !== 'info').slice(0, 5);
  const why = named.length === 0 ? describeFiles(files) : named.map((finding) => finding.message).join('; ');
  const knownFormats = `${known} formats are supported, including LeRobot, MCAP and ROS bags; see docs/formats.md`;
  const todo = chooseAdvice(findings);
  const closed = findings.filter(({ code }) => permissionCodes.has(code));
  if (closed.length > 0) {
    const problems = closed.slice(0, 3).map(({ message }) => message);
    const rest = files.length > closed.length ? `; ${path} contains no other recordings` : '';
    const { advice } = closed[0];
    return new AssayError('not_permitted', `${problems.join('; ')}${rest}`, { path, advice });
  }
  return new AssayError('not_recognised', `no supported recording found in ${path}: ${why}`, {
    path,
    advice: `${todo}; ${knownFormats}`,
  });
}

/**
 * Returns the advice: conversion for formats that are recognised and not read, mapping for tables, fetching for LFS
 * pointers and empty files, else the general one.
 */
function chooseAdvice(findings: readonly Finding[]): string {
  const unread = findings.find(({ code }) => code === unreadFormatCode);
  if (unread !== undefined) return unread.advice;
  const unmapped = findings.find(({ code }) => code === 'signals_unmapped');
  if (unmapped !== undefined) return `${unmapped.advice} (${unmapped.message})`;
  const away = findings.find(({ code }) => code === 'lfs_pointer' || code === 'file_empty');
  return away?.advice ?? 'pass the folder of a recording or dataset, or a recording file';
}

const permissionCodes: ReadonlySet<string> = new Set(['file_not_permitted', 'folder_not_permitted']);

function describeFiles(files: readonly FileEntry[]): string {
  if (files.length === 0) return 'the folder is empty';
  const some = files.slice(0, 3).map((file) => file.path);
  const more = files.length > some.length ? ` and ${files.length - some.length} more` : '';
  return files.length === 1
    ? `${some[0]} is not in a supported format`
    : `none of its files is in a supported format (${some.join(', ')}${more})`;
}
