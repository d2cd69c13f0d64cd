import { mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { AssayError } from '#kernel';
import { unwritable, writeWhole } from '../../steps/judge/receipt-files.ts';

const marker = 'assay-output.json';
/** What an earlier run may have written; nothing else in the folder is ever touched. */
const ours = ['receipts', 'report', 'index.html', 'assets', 'data', 'assessment.json', marker];

/**
 * Makes `out` ready for receipts and a report: a new or empty folder, or one that an earlier run wrote, which is
 * emptied of what that run wrote. Anything else is refused, so that nobody's files are mixed with ours. `source`: null
 * where the recordings are not on this machine.
 */
export function prepareOutputFolder(out: string, source: string | null): void {
  if (source !== null) refuseOverlap(out, source);
  const there = listing(out);
  if (there.length > 0 && !there.includes(marker)) {
    throw new AssayError('usage', `${out} is not empty and holds no earlier assessment`, {
      path: out,
      advice: 'name a new or an empty folder',
    });
  }
  try {
    mkdirSync(out, { recursive: true });
    for (const name of ours) if (name !== marker) rmSync(join(out, name), { recursive: true, force: true });
  } catch (thrown) {
    throw unwritable(thrown, out);
  }
  writeWhole(join(out, marker), '{"written_by":"assay assess"}\n');
}

function listing(out: string): string[] {
  try {
    return readdirSync(out);
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return [];
    throw unwritable(thrown, out);
  }
}

function refuseOverlap(out: string, source: string): void {
  const from = real(source);
  const to = real(out);
  const holdsSource = within(from, to);
  if (!holdsSource && !within(to, from)) return;
  throw new AssayError(
    'usage',
    holdsSource ? `${out} holds the recordings` : `${out} lies inside the recordings`,
    { path: out, advice: 'name a folder beside the recordings, so that the next run does not read this one' },
  );
}

function within(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!way.startsWith('..') && resolve(folder, way) === path);
}

/** The path without links, as far as it exists. */
function real(path: string): string {
  const absolute = resolve(path);
  try {
    return realpathSync(absolute);
  } catch {
    const parent = resolve(absolute, '..');
    return parent === absolute ? absolute : join(real(parent), absolute.slice(parent.length));
  }
}
