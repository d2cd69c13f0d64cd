import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { AssayError, messageOf } from '#kernel';

/** Writes a file whole or not at all, in the place of one that is there. Throws `output_unwritable`. */
export function writeNew(path: string, text: string): void {
  const part = `${path}.${process.pid}.part`;
  try {
    writeFileSync(part, text);
    renameSync(part, path);
  } catch (thrown) {
    rmSync(part, { force: true });
    throw new AssayError('output_unwritable', `${path} could not be written: ${messageOf(thrown)}`, {
      path,
      advice: 'name a file in a folder that may be written to',
    });
  }
}
