import { AssayError } from '#core';
import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { type NpyNumbers, readNpyHeader, readNpyNumbers } from '../shared/numpy/read-npy.ts';
import type { Segment } from './segment-files.ts';

/** Reads the arrays of one segment; what cannot be read becomes a finding and counts as absent. */
export class SegmentArrays {
  readonly findings: Finding[] = [];
  /** Paths from the dataset's root of what was read. */
  readonly read: string[] = [];
  readonly #tree: SourceTree;
  readonly #segment: Segment;

  constructor(tree: SourceTree, segment: Segment) {
    this.#tree = tree;
    this.#segment = segment;
  }

  /** Path from the dataset's root of a file of the segment, with or without `.npy`; null where it is not there. */
  place(name: string): string | null {
    const { folder } = this.#segment;
    const path = folder === '' ? name : `${folder}/${name}`;
    return [path, `${path}.npy`].find((one) => this.#tree.has(one)) ?? null;
  }

  async numbers(name: string): Promise<NpyNumbers | null> {
    return this.#attempt(name, (path) => readNpyNumbers(this.#tree, path));
  }

  /** Rows of an array that is not looked into. */
  async rows(name: string): Promise<number | null> {
    return this.#attempt(name, async (path) => (await readNpyHeader(this.#tree, path)).shape[0] ?? 1);
  }

  report(finding: Finding): void {
    this.findings.push(finding);
  }

  async #attempt<Answer>(name: string, act: (path: string) => Promise<Answer>): Promise<Answer | null> {
    const path = this.place(name);
    if (path === null) return null;
    this.read.push(path);
    try {
      return await act(path);
    } catch (thrown) {
      if (!(thrown instanceof AssayError)) throw thrown;
      this.findings.push({
        code: 'array_unreadable',
        severity: 'error',
        path,
        message: thrown.message,
        advice: thrown.advice ?? 'restore the file from its source',
      });
      return null;
    }
  }
}
