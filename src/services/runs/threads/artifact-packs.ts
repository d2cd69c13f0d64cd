import { rmSync } from 'node:fs';
import type { LaneOutput } from '#annotation';
import { canonicalJson, newId, sha256 } from '#kernel';
import type { DoneRow, UndoneRow } from '#store';
import type { OrderContext } from './order-context.ts';
import { PackWriter } from './pack-writer.ts';

/** What goes into one commit: little enough that others who ask the database hardly wait. */
const partTime_ms = 1000;
const partEpisodes = 500;
const partBytes = 32e6;

interface OpenPack {
  readonly key: string;
  readonly file: PackWriter;
}

/** Artifacts in blobs, one a line of canonical JSON, and the rows that go with them. */
export class ArtifactPacks {
  readonly #prefix: string;
  readonly #task: number;
  readonly #context: OrderContext;
  #pack: OpenPack | null = null;
  #done: DoneRow[] = [];
  #undone: UndoneRow[] = [];
  #begun_ms = performance.now();

  /** Keys of its blobs start with `prefix`; `task`: as parts name it. */
  constructor(prefix: string, task: number, context: OrderContext) {
    this.#prefix = prefix;
    this.#task = task;
    this.#context = context;
  }

  get full(): boolean {
    return (
      this.#done.length + this.#undone.length >= partEpisodes ||
      (this.#pack?.file.position ?? 0) >= partBytes ||
      performance.now() - this.#begun_ms >= partTime_ms
    );
  }

  add(row: Pick<DoneRow, 'place' | 'attempt' | 'compute_s'>, output: LaneOutput, input_hash: string): void {
    const json = canonicalJson(output.artifact);
    this.#pack ??= {
      key: `${this.#prefix}/${newId('blb')}`,
      file: new PackWriter(this.#context.scratchFile()),
    };
    const { key, file } = this.#pack;
    const artifact_offset = file.position;
    this.#done.push({
      ...row,
      id: newId('ann'),
      input_hash,
      artifact_blob: key,
      artifact_offset,
      artifact_length: file.line(json),
      artifact_hash: sha256(json),
      media_type: 'application/json',
      counts: output.counts,
      quality: output.quality,
      quality_reason: output.quality_reason,
    });
  }

  addFailed(row: UndoneRow): void {
    this.#undone.push(row);
  }

  /** Stores the pack at hand, and hands its rows over once it is there. */
  async handOver(): Promise<void> {
    const [done, undone, pack] = [this.#done, this.#undone, this.#pack];
    this.#done = [];
    this.#undone = [];
    this.#pack = null;
    this.#begun_ms = performance.now();
    const count = done.length + undone.length;
    if (count === 0) return;
    pack?.file.close();
    const stored =
      pack === null
        ? Promise.resolve()
        : this.#context.patiently(() => this.#context.blobs.putFile(pack.key, pack.file.path));
    const rows = { done: JSON.stringify(done), undone: JSON.stringify(undone) };
    await this.#context.hand({ type: 'annotated', task: this.#task, count, ...rows }, stored);
  }

  /** Leaves nothing of a pack that is not handed over. */
  discard(): void {
    this.#pack?.file.close();
    if (this.#pack !== null) rmSync(this.#pack.file.path, { force: true });
  }
}
