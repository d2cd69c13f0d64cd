import { readdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { AssayError } from '#kernel';
import { unwritable } from '../../steps/judge/receipt-files.ts';
import { makeFolder, unusable } from '../output/output-folder.ts';

/** A folder that has its name only once it is whole. */
export interface StagedFolder {
  /** Where to write meanwhile. */
  readonly path: string;
  /** Gives it its name. */
  finish(): void;
  discard(): void;
}

/**
 * Stages `out` in a hidden folder beside it. What an export that was killed left there is written over. Throws `usage`
 * where `out` holds something, `output_unwritable`.
 */
export function stageFolder(out: string): StagedFolder {
  const target = resolve(out);
  refuseFull(target);
  const path = join(dirname(target), `.${basename(target)}.assay-partial`);
  const discard = () => rmSync(path, { recursive: true, force: true });
  try {
    discard();
    makeFolder(path);
  } catch (thrown) {
    throw unusable(thrown, target, dirname(target));
  }
  return { path, discard, finish: () => moveTo(path, target) };
}

function moveTo(path: string, target: string): void {
  try {
    refuseFull(target);
    rmdirSync(target);
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT'))
      throw unwritable(thrown, target);
  }
  renameSync(path, target);
}

function refuseFull(target: string): void {
  const there = statSync(target, { throwIfNoEntry: false });
  if (there === undefined) return;
  if (there.isDirectory() && readdirSync(target).length === 0) return;
  throw new AssayError('usage', `${target} ${there.isDirectory() ? 'is not empty' : 'is a file'}`, {
    path: target,
    advice: 'name a new or an empty folder; an export never writes over anything',
  });
}
