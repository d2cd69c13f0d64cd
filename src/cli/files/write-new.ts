import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { AssayError, messageOf } from '#kernel';

export interface OutFile {
  readonly path: string;
  /** A file that is there is replaced; absent: it stays, and the command ends. */
  readonly replace?: boolean;
}

/** Looks before long work whether a file can be written. Throws `usage`. */
export function demandWritable({ path, replace }: OutFile): void {
  if (replace !== true) demandNone(path);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false)
    throw new AssayError('usage', `${path} is not a file`, { path, advice: 'name a file' });
  const part = partOf(path);
  try {
    writeFileSync(part, '');
    rmSync(part);
  } catch (thrown) {
    throw new AssayError('usage', `${path} cannot be written: ${causeOf(thrown, path)}`, { path, advice });
  }
}

/** Writes a file whole or not at all. Throws `output_unwritable`. */
export function writeNew({ path, replace }: OutFile, text: string): void {
  const part = partOf(path);
  try {
    writeFileSync(part, text);
    if (replace !== true) demandNone(path);
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

function demandNone(path: string): void {
  if (existsSync(path))
    throw new AssayError('usage', `${path} is there already`, { path, advice: 'name a new file' });
}
