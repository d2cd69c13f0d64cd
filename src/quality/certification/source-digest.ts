import { sha256 } from '#core';
import type { Receipt } from '#core/api';

/** One digest over all files of the recordings, whatever the order in which they are met. */
export class SourceDigest {
  readonly #files = new Map<string, string>();
  #unhashed = false;

  add(sources: Receipt['sources']): void {
    for (const { path, sha256: digest } of sources) {
      if (digest === null) this.#unhashed = true;
      else this.#files.set(`${digest}  ${path}`, path);
    }
  }

  /** null: a file was not hashed, so that nothing says which bytes it had. */
  digest(): string | null {
    if (this.#unhashed || this.#files.size === 0) return null;
    return sha256(
      [...this.#files.keys()]
        .sort()
        .map((line) => `${line}\n`)
        .join(''),
    );
  }
}
