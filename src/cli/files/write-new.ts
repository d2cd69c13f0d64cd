import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { AssayError, messageOf } from '#kernel';

export interface OutFile {
  readonly path: string;
  /** Which file that is there may be replaced, by its text; absent: none, and the command ends. */
  readonly mayReplace?: (text: string) => boolean;
}

/** Looks before long work whether a file can be written. Throws `usage`. */
export function demandWritable(out: OutFile): void {
  const { path } = out;
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false)
    throw new AssayError('usage', `${path} is not a file`, { path, advice: 'name a file' });
  demandReplaceable(out);
  const part = partOf(path);
  try {
    writeFileSync(part, '');
    rmSync(part);
  } catch (thrown) {
    throw new AssayError('usage', `${path} cannot be written: ${causeOf(thrown, path)}`, { path, advice });
  }
}

/** Writes a file whole or not at all. Throws `output_unwritable`. */
export function writeNew(out: OutFile, text: string): void {
  const { path } = out;
  const part = partOf(path);
  try {
    writeFileSync(part, text);
    demandReplaceable(out);
    renameSync(part, path);
  } catch (thrown) {
    rmSync(part, { force: true });
    if (thrown instanceof AssayError) throw thrown;
    throw new AssayError('output_unwritable', `${path} could not be written: ${causeOf(thrown, path)}`, {
      path,
      advice,
    });
  }
}

const advice = 'name a file in a folder that may be written to';

/** In the words of the system, of the file that was asked for. */
const causeOf = (thrown: unknown, path: string): string => messageOf(thrown).replaceAll(partOf(path), path);

const partOf = (path: string): string => `${path}.${process.pid}.part`;

function demandReplaceable({ path, mayReplace }: OutFile): void {
  if (!existsSync(path) || mayReplace?.(readFileSync(path, 'utf8')) === true) return;
  throw new AssayError('usage', `${path} is there already`, { path, advice: 'name a new file' });
}
