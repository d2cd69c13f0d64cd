import { AssayError } from '#core';
import { jobLayerOf, type LaneOutput } from '#labels/annotation';
import type { AnnotateTask } from '../messages.ts';
import type { StepContext } from '../step-context.ts';
import { ArtifactPacks } from './artifact-packs.ts';
import type { Failed } from './failed-by.ts';
import { LaneMeter } from './lane-meter.ts';

/** What making an annotation took. */
export interface Took {
  /** Of computing. */
  readonly ms: number;
  /** Absent: it was not begun. */
  readonly meter?: LaneMeter;
}

/** One layer of a request: which episodes it is due on, and what it has done. */
export class LayerTask {
  readonly task: AnnotateTask;
  readonly #attempts: ReadonlyMap<number, number>;
  readonly #packs: ArtifactPacks;
  /** What keeping the artifact before took. */
  #keeping_ms = 0;

  constructor(task: AnnotateTask, at: number, context: StepContext) {
    const { layer, prefix, attempts } = task;
    if (jobLayerOf(layer).lane === null) throw new AssayError('layer_unavailable', `no lane runs ${layer}`);
    this.task = task;
    this.#attempts = new Map(attempts);
    this.#packs = new ArtifactPacks(prefix, at, context);
  }

  has(place: number): boolean {
    return this.#attempts.has(place);
  }

  add(
    place: number,
    { output, input_hash }: { readonly output: LaneOutput; readonly input_hash: string },
    took: Took,
  ): Promise<void> {
    return this.#keep(() => this.#packs.add(this.#row(place, took), output, input_hash));
  }

  fail(place: number, failed: Failed, took: Took): Promise<void> {
    return this.#keep(() => this.#packs.addFailed({ ...this.#row(place, took), ...failed }));
  }

  end(): Promise<void> {
    return this.#packs.handOver();
  }

  discard(): void {
    this.#packs.discard();
  }

  async #keep(keep: () => void): Promise<void> {
    const from_ms = performance.now();
    keep();
    this.#keeping_ms = performance.now() - from_ms;
    if (this.#packs.full) await this.#packs.handOver();
  }

  #row(place: number, { ms, meter = new LaneMeter() }: Took) {
    const { device, device_note, tokens } = meter;
    const { prompt_tokens, completion_tokens } = tokens;
    const compute_s = (ms + this.#keeping_ms) / 1000;
    const took = { compute_s, device, device_note, prompt_tokens, completion_tokens };
    return { place, attempt: this.#attempts.get(place)!, ...took };
  }
}
