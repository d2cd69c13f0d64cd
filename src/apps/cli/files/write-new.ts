import {
  closeSync,
  existsSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { AssayError, messageOf } from '#core';

const headBytes = 1024;

export interface OutFile {
  readonly path: string;
  /** Whether a file that is there may be replaced, by how it begins (`headBytes`); absent: it stays, and the command ends. */
  readonly mayReplace?: (head: string) => boolean;
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
  if (!existsSync(path) || mayReplace?.(headOf(path)) === true) return;
  throw new AssayError('usage', `${path} is there already`, { path, advice: 'name a new file' });
}

/** Of whatever lies there, a recording of gigabytes maybe; empty where it cannot be read. */
function headOf(path: string): string {
  const head = Buffer.alloc(headBytes);
  try {
    const file = openSync(path, 'r');
    try {
      return head.toString('utf8', 0, readSync(file, head, 0, headBytes, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}
