import { readdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { AssayError, systemCode } from '#core';
import { makeFolder } from '#io/sources';
import { unwritableError } from '../../steps/judge/receipt-files.ts';
import { unusablePathError } from '../output/output-folder.ts';

/** A staged folder or file that gets its final name only when complete. */
export interface StagedOutput {
  /** Path to write to. */
  readonly path: string;
  /** Moves it to its final name. */
  finish(): void;
  /** Deletes it. */
  discard(): void;
}

/**
 * Creates a hidden folder beside `out` to write into; `finish` renames it to `out`, `discard` deletes it. Of two concurrent
 * exports to one folder, one wins in the last step. Throws `usage` if `out` is not empty, `output_unwritable`.
 */
export function stageFolder(out: string): StagedOutput {
  const target = resolve(out);
  requireEmpty(target);
  const path = join(dirname(target), `${stagingPrefix(target)}${process.pid}`);
  const discard = () => rmSync(path, { recursive: true, force: true });
  try {
    makeFolder(dirname(target));
    removeAbandoned(target);
    discard();
    makeFolder(path);
  } catch (thrown) {
    throw unusablePathError(thrown, target, dirname(target));
  }
  return { path, discard, finish: () => moveInto(path, target) };
}

/**
 * Returns a temporary path beside the file `out` to write to; `finish` moves it into place, `discard` deletes it. Throws
 * `usage` if `out` exists, `output_unwritable`.
 */
export function stageFile(out: string): StagedOutput {
  const target = resolve(out);
  requireAbsent(target);
  const path = join(dirname(target), `${stagingPrefix(target)}${process.pid}`);
  const discard = () => rmSync(path, { force: true });
  try {
    makeFolder(dirname(target));
    removeAbandoned(target);
    discard();
  } catch (thrown) {
    throw unusablePathError(thrown, target, dirname(target));
  }
  const finish = () => {
    requireAbsent(target);
    try {
      renameSync(path, target);
    } catch (thrown) {
      throw unwritableError(thrown, target);
    }
  };
  return { path, discard, finish };
}

function requireAbsent(target: string): void {
  if (statSync(target, { throwIfNoEntry: false }) === undefined) return;
  throw new AssayError('usage', `${target} already exists`, {
    path: target,
    advice: 'choose a new file; existing files are never overwritten',
  });
}

const stagingPrefix = (target: string) => `.${basename(target)}.assay-partial-`;

/** Removes staging data of dead processes. Others may be exporting to the same folder. */
function removeAbandoned(target: string): void {
  for (const name of readdirSync(dirname(target))) {
    const pid = name.startsWith(stagingPrefix(target))
      ? Number(name.slice(stagingPrefix(target).length))
      : Number.NaN;
    if (Number.isInteger(pid) && pid > 0 && !isAlive(pid))
      rmSync(join(dirname(target), name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (thrown) {
    return systemCode(thrown) !== 'ESRCH';
  }
}

function moveInto(path: string, target: string): void {
  try {
    requireEmpty(target);
    rmdirSync(target);
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT'))
      throw unwritableError(thrown, target);
  }
  try {
    renameSync(path, target);
  } catch (thrown) {
    requireEmpty(target);
    throw unwritableError(thrown, target);
  }
}

function requireEmpty(target: string): void {
  const there = statSync(target, { throwIfNoEntry: false });
  if (there === undefined) return;
  if (there.isDirectory() && readdirSync(target).length === 0) return;
  throw new AssayError('usage', `${target} ${there.isDirectory() ? 'is not empty' : 'is a file'}`, {
    path: target,
    advice: 'choose a new or empty folder; existing files are never overwritten',
  });
}
