import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { AssayError } from '#core';
import { proposeMapping } from '#formats';
import type { Io } from '../../io.ts';
import { requireLocalPath } from '../../require-local-path.ts';
import { count } from '../../text.ts';
import { writeNew } from '../../write-new.ts';

/** Options of `assay map init`. */
export interface MapInitArgs {
  readonly print?: boolean;
  readonly yes?: boolean;
}

/**
 * Runs `assay map init PATH`: proposes a mapping file and writes it. Asks before it writes if a person is at the
 * terminal, unless `--yes` is given. Returns exit code 1 if the person declines.
 * @throws AssayError `conflict` if a mapping file exists
 */
export async function mapInitCommand(path: string, args: MapInitArgs, io: Io): Promise<number> {
  requireLocalPath(path, 'assay map init');
  io.note(`assay: reading the first rows of the files in ${path}\n`);
  const { folder, name, text, checks, summary } = await proposeMapping(path);
  if (args.print === true) {
    await io.out(text);
    return 0;
  }
  const file = join(folder, name);
  if (existsSync(file))
    throw new AssayError('conflict', `the mapping file already exists: ${file}`, {
      path: file,
      advice: 'move it away, or add --print to see the proposal without writing it',
    });
  await io.out(`${summary.join('\n')}\n`);
  if (args.yes !== true && process.stdin.isTTY && io.live && !(await confirm(`Write ${file}? [Y/n] `, io)))
    return 1;
  writeNew({ path: file }, text);
  const next = statSync(path).isDirectory() ? path : folder;
  const todo =
    checks === 0
      ? ''
      : `; ${count(checks, 'line')} marked CHECK ${checks === 1 ? 'needs' : 'need'} your attention`;
  await io.out(`Wrote ${file}${todo}\nNext: edit it, then assay map check ${next}\n`);
  return 0;
}

async function confirm(prompt: string, { signal }: Io): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^(y(es)?)?$/i.test((await lines.question(prompt, { signal })).trim());
  } catch {
    // Ctrl-C or the end of the input.
    return false;
  } finally {
    lines.close();
  }
}
