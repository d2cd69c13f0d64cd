import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AssayError, messageOf } from '#core';

/**
 * Temporary files that leave nothing behind, however the process ends: where the system allows it a file loses its
 * name as soon as it is open, and lives on as its descriptor only. Descriptors are the process's, so worker threads
 * write through them too.
 */
export class TempFiles {
  readonly #open: number[] = [];
  /** Folders that could not go at once, since Windows holds on to the names of open files. */
  readonly #folders: string[] = [];
  readonly #onExit = () => this.close();

  /** Opens one for reading and writing. Throws `output_unwritable`. */
  open(): number {
    try {
      const folder = mkdtempSync(join(tmpdir(), 'assay-'));
      const path = join(folder, 'spool');
      const fd = openSync(path, 'wx+', 0o600);
      this.#open.push(fd);
      this.#forget(folder, path);
      return fd;
    } catch (thrown) {
      throw new AssayError('output_unwritable', `no temporary file could be made: ${messageOf(thrown)}`, {
        path: tmpdir(),
        advice: 'make room there, or set TMPDIR to a folder with room',
        cause: thrown,
      });
    }
  }

  close(): void {
    process.removeListener('exit', this.#onExit);
    for (const fd of this.#open.splice(0)) closeSync(fd);
    for (const folder of this.#folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  }

  #forget(folder: string, path: string): void {
    if (process.platform === 'win32') {
      if (this.#folders.length === 0) process.on('exit', this.#onExit);
      this.#folders.push(folder);
      return;
    }
    unlinkSync(path);
    rmdirSync(folder);
  }
}
