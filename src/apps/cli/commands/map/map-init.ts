import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AssayError } from '#core';
import { proposeMapping } from '#formats';
import { writeNew } from '../../files/write-new.ts';
import type { Io } from '../../io.ts';
import { requireLocalPath } from '../../require-local-path.ts';
import { count } from '../../words.ts';

/** Runs `assay map init PATH`: proposes a mapping file and writes it. Throws `conflict` if one exists. */
export async function mapInitCommand(path: string, args: { print?: boolean }, io: Io): Promise<number> {
  requireLocalPath(path, 'assay map init');
  io.note(`assay: reading the tables in ${path}\n`);
  const { name, text, checks } = await proposeMapping(path);
  if (args.print === true) {
    await io.out(text);
    return 0;
  }
  const file = join(path, name);
  if (existsSync(file))
    throw new AssayError('conflict', `the mapping file already exists: ${file}`, {
      path: file,
      advice: 'move it away, or add --print to see the proposal without writing it',
    });
  writeNew({ path: file }, text);
  const todo =
    checks === 0
      ? ''
      : `; ${count(checks, 'line')} marked CHECK ${checks === 1 ? 'needs' : 'need'} your attention`;
  await io.out(`Wrote ${file}${todo}\nNext: edit it, then assay inspect ${path}\n`);
  return 0;
}
