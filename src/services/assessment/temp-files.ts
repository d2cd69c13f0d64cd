import { closeSync, mkdtempSync, openSync, rmSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AssayError, messageOf } from '#kernel';

/**
 * Temporary files that leave nothing behind, however the process ends: where the system allows it a file loses its
 * name as soon as it is open, and lives on as its descriptor only. Descriptors are the process's, so worker threads
 * write through them too.
 */
export class TempFiles {
  readonly #open: number[] = [];
  #folder: string | null = null;
  readonly #onExit = () => this.close();

  /** Opens one for reading and writing. Throws `output_unwritable`. */
  open(): number {
    try {
      this.#folder ??= this.#makeFolder();
      const path = join(this.#folder, `${this.#open.length}.spool`);
      const fd = openSync(path, 'wx+', 0o600);
      this.#open.push(fd);
      if (process.platform !== 'win32') unlinkSync(path);
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
    if (this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = null;
  }

  #makeFolder(): string {
    process.on('exit', this.#onExit);
    const folder = mkdtempSync(join(tmpdir(), 'assay-'));
    return folder;
  }
}
