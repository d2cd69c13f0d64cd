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

/** Output file of a command. */
export interface OutFile {
  readonly path: string;
  /**
   * Decides from the first `headBytes` bytes whether an existing file may be replaced. If absent, existing files are
   * never replaced.
   */
  readonly mayReplace?: (head: string) => boolean;
}

/** Checks before long work that the file can be written. Throws `usage`. */
export function assertWritable(out: OutFile): void {
  const { path } = out;
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false)
    throw new AssayError('usage', `${path} is not a file`, { path, advice: 'pass the path of a file' });
  assertReplaceable(out);
  const part = partOf(path);
  try {
    writeFileSync(part, '');
    rmSync(part);
  } catch (thrown) {
    throw new AssayError('usage', `${path} cannot be written: ${systemMessage(thrown, path)}`, {
      path,
      advice,
    });
  }
}

/** Writes a file atomically. Throws `output_unwritable`, or `usage` if it exists and may not be replaced. */
export function writeNew(out: OutFile, text: string): void {
  const { path } = out;
  const part = partOf(path);
  try {
    writeFileSync(part, text);
    assertReplaceable(out);
    renameSync(part, path);
  } catch (thrown) {
    rmSync(part, { force: true });
    if (thrown instanceof AssayError) throw thrown;
    throw new AssayError(
      'output_unwritable',
      `${path} could not be written: ${systemMessage(thrown, path)}`,
      {
        path,
        advice,
      },
    );
  }
}

const advice = 'choose a file in a folder that you can write to';

/** Returns the message of the system error, with the temporary path replaced by the target path. */
const systemMessage = (thrown: unknown, path: string): string =>
  messageOf(thrown).replaceAll(partOf(path), path);

const partOf = (path: string): string => `${path}.${process.pid}.part`;

function assertReplaceable({ path, mayReplace }: OutFile): void {
  if (!existsSync(path) || mayReplace?.(readHead(path)) === true) return;
  throw new AssayError('usage', `${path} already exists`, { path, advice: 'choose a new file' });
}

/** Reads the first `headBytes` bytes of a file as text; empty if it cannot be read. */
function readHead(path: string): string {
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
