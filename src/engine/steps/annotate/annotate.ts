import { rmSync } from 'node:fs';
import { AssayError, canonicalJson, newId, parseJson, sha256, toJson } from '#core';
import { jobLayerOf, type LaneOutput, type LanePart, mainPart } from '#labels/annotation';
import type { DoneRow, ItemRow, StoredPart, UndoneRow } from '#store';
import { PackWriter } from '../../packs/pack-writer.ts';
import type { AnnotateRequest, AnnotateTask } from '../messages.ts';
import type { StepContext } from '../step-context.ts';
import type { AnnotateItem } from '../units.ts';
import { EpisodeInputs, type Input } from './episode-inputs.ts';
import { type Failed, failedBy } from './failed-by.ts';
import { LaneMeter } from './lane-meter.ts';
import { runLanes } from './run-lanes.ts';

/** Annotates episodes, and hands them over a second's work at a time; one that fails fails alone. */
export async function annotate(request: AnnotateRequest, context: StepContext): Promise<void> {
  const tasks = request.tasks.map((task, at) => new LayerTask(task, at, context));
  const items = parseJson(request.items);
  await using inputs = new EpisodeInputs(items, request, context);
  try {
    for (const item of items) {
      context.signal.throwIfAborted();
      const { place } = item;
      // A thread that dies under several layers is known by its range; each is then done by itself.
      if (tasks.length === 1) context.begin(place);
      const due = tasks.filter((task) => task.has(place));
      const from_ms = performance.now();
      const read = await readFor(item, inputs);
      const share_ms = (performance.now() - from_ms) / due.length;
      if ('error' in read) for (const task of due) await task.fail(place, read, { ms: share_ms });
      else await annotateOne(place, due, read, share_ms, context);
      context.progress(due.length, 0);
    }
    for (const task of tasks) await task.end();
    await context.settled();
  } catch (thrown) {
    for (const task of tasks) task.discard();
    throw thrown;
  }
}

/** What there is to annotate of an episode, or why it cannot be read. */
async function readFor(item: AnnotateItem, inputs: EpisodeInputs): Promise<Input | Failed> {
  try {
    return await inputs.of(item);
  } catch (thrown) {
    return failedBy(thrown);
  }
}

async function annotateOne(
  place: number,
  due: readonly LayerTask[],
  input: Input,
  share_ms: number,
  { lanes: resources, signal, progress }: StepContext,
): Promise<void> {
  const lanes = due.map(({ task: { layer, config, models } }) => ({
    row: jobLayerOf(layer),
    config,
    models,
  }));
  const tools = { resources, signal, progress: () => progress(0, 0) };
  for await (const { lane, told, own_ms, meter } of runLanes(lanes, input, tools)) {
    const task = due[lanes.indexOf(lane)];
    const took = { ms: share_ms + own_ms, meter };
    if ('thrown' in told) await task.fail(place, failedBy(told.thrown), took);
    else await task.add(place, told, took);
  }
}

/** What making an annotation took. */
interface Took {
  /** Of computing. */
  readonly ms: number;
  /** Absent: it was not begun. */
  readonly meter?: LaneMeter;
}

/** One layer of a request: which episodes it is due on, and what it has done. */
class LayerTask {
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

/** What goes into one commit: little enough that others who ask the database hardly wait. */
const partTime_ms = 1000;
const partEpisodes = 500;
const partBytes = 32e6;

interface OpenPack {
  readonly key: string;
  readonly file: PackWriter;
}

/** Artifacts in blobs, each a line of canonical JSON with its other parts behind it, and the rows that go with them. */
class ArtifactPacks {
  readonly #prefix: string;
  readonly #task: number;
  readonly #context: StepContext;
  #pack: OpenPack | null = null;
  #done: DoneRow[] = [];
  #undone: UndoneRow[] = [];
  #begun_ms = performance.now();

  /** Keys of its blobs start with `prefix`; `task`: as parts name it. */
  constructor(prefix: string, task: number, context: StepContext) {
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

  add(row: ItemRow, output: LaneOutput, input_hash: string): void {
    const [artifact, ...others] = output.parts;
    demandNames(output.parts);
    const json = canonicalJson(artifact.json);
    this.#pack ??= {
      key: `${this.#prefix}/${newId('blb')}`,
      file: new PackWriter(this.#context.scratchFile()),
    };
    const { key, file } = this.#pack;
    const artifact_offset = file.position;
    const artifact_length = file.line(json);
    const parts = others.map((part) => storePart(file, part));
    this.#done.push({
      ...row,
      id: newId('ann'),
      input_hash,
      artifact_blob: key,
      artifact_offset,
      artifact_length,
      artifact_hash: sha256(json),
      media_type: artifact.media_type,
      said: output.says === undefined ? null : storable(output.says),
      parts,
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
    const rows = { done: toJson(done), undone: toJson(undone) };
    await this.#context.hand({ type: 'annotated', task: this.#task, count, ...rows }, stored);
  }

  /** Leaves nothing of a pack that is not handed over. */
  discard(): void {
    this.#pack?.file.close();
    if (this.#pack !== null) rmSync(this.#pack.file.path, { force: true });
  }
}

/** The database keeps no NUL, half a surrogate pair is no text, and an index of words has a size limit. */
const storable = (text: string): string => text.slice(0, 20_000).replaceAll('\0', ' ').toWellFormed();

function storePart(file: PackWriter, part: LanePart): StoredPart {
  const bytes = 'json' in part ? Buffer.from(canonicalJson(part.json)) : part.bytes;
  const [offset, length] = file.bytes(bytes);
  return { name: part.name, media_type: part.media_type, offset, length, hash: sha256(bytes) };
}

/** Names of parts stand in addresses. */
const partName = /^[a-z0-9][a-z0-9._-]{0,99}$/;

function demandNames(parts: LaneOutput['parts']): void {
  const names = parts.map(({ name }) => name);
  const wrong =
    names.find((name) => !partName.test(name)) ?? names.find((name, at) => names.indexOf(name) !== at);
  if (wrong !== undefined || names[0] !== mainPart)
    throw new AssayError('internal', `a lane calls a part ${wrong ?? names[0]}`);
}
