import { rmSync } from 'node:fs';
import { AssayError, canonicalJson, newId, parseJson, sha256, toJson } from '#core';
import { computeTime_ms } from '#io/processes';
import { jobLayerOf, type LaneOutput, type LanePart, listClasses, mainPart } from '#labels/annotation';
import type { DoneRow, ItemRow, StoredPart, UndoneRow } from '#store';
import type { AnnotateRequest, AnnotateTask, StepContext } from '../messages.ts';
import { PackWriter } from '../packs/pack-file.ts';
import type { AnnotateItem } from '../units.ts';
import { type EpisodeInput, EpisodeInputs } from './episode-inputs.ts';
import { configHash, sortUses, usedModel } from './lane-models.ts';
import { LaneMeter } from './lane-resources.ts';
import { type Failed, runLanes, toFailed } from './run-lanes.ts';

/**
 * Annotates episodes in the layers of a request and submits the artifacts about once per second. A failure affects only its
 * own episode and layer.
 */
export async function annotate(request: AnnotateRequest, context: StepContext): Promise<void> {
  const tasks = request.tasks.map((task, at) => new LayerTask(task, at, context));
  const items = parseJson(request.items);
  await using inputs = new EpisodeInputs(items, request, context);
  try {
    for (const item of items) {
      context.signal.throwIfAborted();
      const { place } = item;
      // With several layers, a crash is attributed to the whole range; each layer is then retried alone.
      if (tasks.length === 1) context.begin(place);
      const due = tasks.filter((task) => task.has(place));
      const from_ms = computeTime_ms();
      const read = await readInput(item, inputs);
      const share_ms = (computeTime_ms() - from_ms) / due.length;
      if ('error' in read) for (const task of due) await task.fail(place, read, { ms: share_ms });
      else await annotateOne(place, due, read, share_ms, context);
      context.progress(due.length, 0);
    }
    for (const task of tasks) await task.end();
    await context.flush();
  } catch (thrown) {
    for (const task of tasks) task.discard();
    throw thrown;
  }
}

/** Returns the input of an episode, or why it cannot be read. */
async function readInput(item: AnnotateItem, inputs: EpisodeInputs): Promise<EpisodeInput | Failed> {
  try {
    return await inputs.read(item);
  } catch (thrown) {
    return toFailed(thrown);
  }
}

async function annotateOne(
  place: number,
  due: readonly LayerTask[],
  input: EpisodeInput,
  share_ms: number,
  { lanes: resources, signal, progress }: StepContext,
): Promise<void> {
  const lanes = due.map(({ task: { layer, config, models } }) => ({
    row: jobLayerOf(layer),
    config,
    models,
  }));
  const tools = { resources, signal, progress: () => progress(0, 0) };
  for await (const { lane, outcome, compute_ms, meter } of runLanes(lanes, input, tools)) {
    const task = due[lanes.indexOf(lane)];
    const took = { ms: share_ms + compute_ms, meter };
    if ('thrown' in outcome) await task.fail(place, toFailed(outcome.thrown), took);
    else await task.add(place, outcome, took);
  }
}

/** Cost of one annotation. */
interface ItemCost {
  /** Compute time in ms. */
  readonly ms: number;
  /** Absent if it was not started. */
  readonly meter?: LaneMeter;
}

/** Models and settings that produced an annotation. */
type Provenance = Pick<DoneRow, 'model' | 'models' | 'config_hash'>;

/** One layer of a request: its due episodes and its output. */
class LayerTask {
  readonly task: AnnotateTask;
  readonly #attempts: ReadonlyMap<number, number>;
  readonly #packs: ArtifactPacks;
  /** Time that storing the previous artifact took; charged to the next episode. */
  #lastRecord_ms = 0;

  constructor(task: AnnotateTask, at: number, context: StepContext) {
    const { layer, prefix, attempts } = task;
    if (jobLayerOf(layer).lane === null)
      throw new AssayError('layer_unavailable', `the layer ${layer} is not implemented`);
    this.task = task;
    this.#attempts = new Map(attempts);
    this.#packs = new ArtifactPacks(layer, prefix, at, context);
  }

  has(place: number): boolean {
    return this.#attempts.has(place);
  }

  add(
    place: number,
    { output, input_hash }: { readonly output: LaneOutput; readonly input_hash: string },
    took: ItemCost,
  ): Promise<void> {
    return this.#record(() => {
      const row = { ...this.#row(place, took), ...this.#provenance(took), input_hash };
      this.#packs.add(row, output);
    });
  }

  fail(place: number, failed: Failed, took: ItemCost): Promise<void> {
    return this.#record(() => this.#packs.addFailed({ ...this.#row(place, took), ...failed }));
  }

  end(): Promise<void> {
    return this.#packs.flush();
  }

  discard(): void {
    this.#packs.discard();
  }

  async #record(keep: () => void): Promise<void> {
    const from_ms = computeTime_ms();
    keep();
    this.#lastRecord_ms = computeTime_ms() - from_ms;
    if (this.#packs.full) await this.#packs.flush();
  }

  /** Returns the models and settings that were used, not those that were selected. */
  #provenance({ meter }: ItemCost): Provenance {
    const { layer, config } = this.task;
    const row = jobLayerOf(layer);
    const models = sortUses(row, meter?.models ?? []);
    const model = usedModel(row, models);
    return { model, models, config_hash: configHash(row, model, config) };
  }

  #row(place: number, { ms, meter = new LaneMeter() }: ItemCost) {
    const { device, device_note, tokens } = meter;
    const { prompt_tokens, completion_tokens } = tokens;
    const compute_s = (ms + this.#lastRecord_ms) / 1000;
    const took = { compute_s, device, device_note, prompt_tokens, completion_tokens };
    return { place, attempt: this.#attempts.get(place)!, ...took };
  }
}

/** Limits of one commit, small enough not to delay other database users. */
const maxPartTime_ms = 1000;
const maxPartEpisodes = 500;
const maxPartBytes = 32e6;

interface OpenPack {
  readonly key: string;
  readonly file: PackWriter;
}

/**
 * Writes artifacts into blobs, each as a line of canonical JSON followed by its other parts, and collects their rows.
 */
class ArtifactPacks {
  readonly #layer: string;
  readonly #prefix: string;
  readonly #task: number;
  readonly #context: StepContext;
  #pack: OpenPack | null = null;
  #done: DoneRow[] = [];
  #undone: UndoneRow[] = [];
  #begun_ms = performance.now();

  /** `prefix`: of the blob keys; `task`: index of the task, for the parts. */
  constructor(layer: string, prefix: string, task: number, context: StepContext) {
    this.#layer = layer;
    this.#prefix = prefix;
    this.#task = task;
    this.#context = context;
  }

  /** Returns true if a limit of one commit is reached. */
  get full(): boolean {
    return (
      this.#done.length + this.#undone.length >= maxPartEpisodes ||
      (this.#pack?.file.position ?? 0) >= maxPartBytes ||
      performance.now() - this.#begun_ms >= maxPartTime_ms
    );
  }

  add(row: ItemRow & Provenance & Pick<DoneRow, 'input_hash'>, output: LaneOutput): void {
    const [artifact, ...others] = output.parts;
    requirePartNames(output.parts);
    const json = canonicalJson(artifact.json);
    this.#pack ??= {
      key: `${this.#prefix}/${newId('blb')}`,
      file: new PackWriter(this.#context.scratchFile()),
    };
    const { key, file } = this.#pack;
    const artifact_offset = file.position;
    const artifact_length = file.writeLine(json);
    const parts = others.map((part) => storePart(file, part));
    this.#done.push({
      ...row,
      id: newId('ann'),
      artifact_blob: key,
      artifact_offset,
      artifact_length,
      artifact_hash: sha256(json),
      media_type: artifact.media_type,
      said: output.search_text === undefined ? null : sanitiseText(output.search_text),
      parts,
      counts: output.counts,
      classes: listClasses(this.#layer, artifact.json),
      not_produced: output.not_produced ?? null,
      quality: output.quality,
      quality_reason: output.quality_reason,
    });
  }

  addFailed(row: UndoneRow): void {
    this.#undone.push(row);
  }

  /** Stores the current pack and submits its rows once it is stored. */
  async flush(): Promise<void> {
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
        : this.#context.retry(() => this.#context.blobs.putFile(pack.key, pack.file.path));
    const rows = { done: toJson(done), undone: toJson(undone) };
    await this.#context.submit({ type: 'annotated', task: this.#task, count, ...rows }, stored);
  }

  /** Deletes a pack that was not submitted. */
  discard(): void {
    this.#pack?.file.close();
    if (this.#pack !== null) rmSync(this.#pack.file.path, { force: true });
  }
}

/** Returns text as the database can store it: at most 20,000 characters, no NUL, no lone surrogates. */
const sanitiseText = (text: string): string => text.slice(0, 20_000).replaceAll('\0', ' ').toWellFormed();

function storePart(file: PackWriter, part: LanePart): StoredPart {
  const bytes = 'json' in part ? Buffer.from(canonicalJson(part.json)) : part.bytes;
  const [offset, length] = file.writeBytes(bytes);
  return { name: part.name, media_type: part.media_type, offset, length, hash: sha256(bytes) };
}

/** Allowed part names; they appear in URLs. */
const partName = /^[a-z0-9][a-z0-9._-]{0,99}$/;

function requirePartNames(parts: LaneOutput['parts']): void {
  const names = parts.map(({ name }) => name);
  const wrong =
    names.find((name) => !partName.test(name)) ?? names.find((name, at) => names.indexOf(name) !== at);
  if (wrong !== undefined || names[0] !== mainPart)
    throw new AssayError('internal', `invalid part name from a lane: ${wrong ?? names[0]}`);
}
