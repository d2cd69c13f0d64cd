import { readdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { AssayError, systemCode } from '#core';
import { makeFolder } from '#io/sources';
import { unwritable } from '../../steps/judge/receipt-files.ts';
import { unusable } from '../output/output-folder.ts';

/** A folder or a file that has its name only once it is whole. */
export interface StagedFolder {
  /** Where to write meanwhile. */
  readonly path: string;
  /** Gives it its name. */
  finish(): void;
  discard(): void;
}

/**
 * Stages `out` in a hidden folder beside it. Two exports onto one folder do not meet before the last step, which one of them wins. Throws `usage`
 * where `out` holds something, `output_unwritable`.
 */
export function stageFolder(out: string): StagedFolder {
  const target = resolve(out);
  refuseFull(target);
  const path = join(dirname(target), `${stagedName(target)}${process.pid}`);
  const discard = () => rmSync(path, { recursive: true, force: true });
  try {
    makeFolder(dirname(target));
    discardAbandoned(target);
    discard();
    makeFolder(path);
  } catch (thrown) {
    throw unusable(thrown, target, dirname(target));
  }
  return { path, discard, finish: () => moveTo(path, target) };
}

/** The same for a file. Throws `usage` where there is one already, `output_unwritable`. */
export function stageFile(out: string): StagedFolder {
  const target = resolve(out);
  refuseThere(target);
  const path = join(dirname(target), `${stagedName(target)}${process.pid}`);
  const discard = () => rmSync(path, { force: true });
  try {
    makeFolder(dirname(target));
    discardAbandoned(target);
    discard();
  } catch (thrown) {
    throw unusable(thrown, target, dirname(target));
  }
  const finish = () => {
    refuseThere(target);
    try {
      renameSync(path, target);
    } catch (thrown) {
      throw unwritable(thrown, target);
    }
  };
  return { path, discard, finish };
}

function refuseThere(target: string): void {
  if (statSync(target, { throwIfNoEntry: false }) === undefined) return;
  throw new AssayError('usage', `${target} is there already`, {
    path: target,
    advice: 'name a new file; nothing is ever written over',
  });
}

const stagedName = (target: string) => `.${basename(target)}.assay-partial-`;

/** What processes that are gone left behind; another export onto the same folder may be under way. */
function discardAbandoned(target: string): void {
  for (const name of readdirSync(dirname(target))) {
    const pid = name.startsWith(stagedName(target))
      ? Number(name.slice(stagedName(target).length))
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

function moveTo(path: string, target: string): void {
  try {
    refuseFull(target);
    rmdirSync(target);
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT'))
      throw unwritable(thrown, target);
  }
  try {
    renameSync(path, target);
  } catch (thrown) {
    refuseFull(target);
    throw unwritable(thrown, target);
  }
}

function refuseFull(target: string): void {
  const there = statSync(target, { throwIfNoEntry: false });
  if (there === undefined) return;
  if (there.isDirectory() && readdirSync(target).length === 0) return;
  throw new AssayError('usage', `${target} ${there.isDirectory() ? 'is not empty' : 'is a file'}`, {
    path: target,
    advice: 'name a new or an empty folder; nothing is ever written over',
  });
}
