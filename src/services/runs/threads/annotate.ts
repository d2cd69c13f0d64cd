import { type LaneEpisode, type LaneOutput, type LaneRow, type LayerConfig, lanes } from '#annotation';
import type { Receipt } from '#contract';
import { AssayError, canonicalJson, messageOf, sha256 } from '#kernel';
import type { RunError, UndoneRow } from '#store';
import { ArtifactPacks } from './artifact-packs.ts';
import { BlobWindow } from './blob-window.ts';
import type { OrderContext } from './order-context.ts';
import { ShardWalk } from './shard-walk.ts';
import type { AnnotateTask, Order } from './thread-messages.ts';

/** An episode to be annotated: where its receipt and its numbers lie. Without a receipt it is gone. */
interface AnnotateItem {
  readonly place: number;
  readonly episode_id: string;
  readonly shard_blob: string | null;
  readonly shard_place: number | null;
  readonly pack_blob: string | null;
  readonly offset: number;
  readonly length: number;
}

/** Annotates episodes, and hands them over a second's work at a time; one that fails fails alone. */
export async function annotate(
  order: Extract<Order, { type: 'annotate' }>,
  context: OrderContext,
): Promise<void> {
  const tasks = order.tasks.map((task, at) => new LayerTask(task, at, context));
  const items: AnnotateItem[] = JSON.parse(order.items);
  await using inputs = new EpisodeInputs(items, context);
  try {
    for (const item of items) {
      context.signal.throwIfAborted();
      const { place } = item;
      // A thread that dies under several layers is known by its stretch; each is then done by itself.
      if (tasks.length === 1) context.begin(place);
      const due = tasks.filter((task) => task.has(place));
      const from_ms = performance.now();
      const read = await readFor(item, inputs);
      const share_ms = (performance.now() - from_ms) / due.length;
      for (const task of due) await task.annotate(place, read, share_ms);
      context.progress(due.length, 0);
    }
    for (const task of tasks) await task.end();
    await context.settled();
  } catch (thrown) {
    for (const task of tasks) task.discard();
    throw thrown;
  }
}

type Failed = Pick<UndoneRow, 'state' | 'error'>;
type Read = Input | Failed;

/** What there is to annotate of an episode, or why it cannot be read. */
async function readFor(item: AnnotateItem, inputs: EpisodeInputs): Promise<Read> {
  try {
    return await inputs.of(item);
  } catch (thrown) {
    return failedBy(thrown);
  }
}

function failedBy(thrown: unknown): Failed {
  if (thrown instanceof AssayError && thrown.code === 'cancelled') throw thrown;
  return { state: mayPass(thrown) ? 'again' : 'failed', error: errorOf(thrown) };
}

/** One layer of an order. */
class LayerTask {
  readonly #lane: LaneRow;
  readonly #config: LayerConfig;
  readonly #attempts: ReadonlyMap<number, number>;
  readonly #packs: ArtifactPacks;
  /** What keeping the artifact before took. */
  #keeping_ms = 0;

  constructor({ layer, config, prefix, attempts }: AnnotateTask, at: number, context: OrderContext) {
    const lane = lanes.get(layer);
    if (lane === undefined) throw new AssayError('layer_unavailable', `no lane runs ${layer}`);
    this.#lane = lane;
    this.#config = config;
    this.#attempts = new Map(attempts);
    this.#packs = new ArtifactPacks(prefix, at, context);
  }

  has(place: number): boolean {
    return this.#attempts.has(place);
  }

  /** `share_ms`: what reading the episode took, of this layer. */
  async annotate(place: number, read: Read, share_ms: number): Promise<void> {
    const from_ms = performance.now();
    const told = 'error' in read ? read : this.#outcomeOf(read);
    const told_ms = performance.now();
    const compute_s = (told_ms - from_ms + share_ms + this.#keeping_ms) / 1000;
    const row = { place, attempt: this.#attempts.get(place)!, compute_s };
    if ('error' in told) this.#packs.addFailed({ ...row, ...told });
    else this.#packs.add(row, told.output, told.input_hash);
    this.#keeping_ms = performance.now() - told_ms;
    if (this.#packs.full) await this.#packs.handOver();
  }

  #outcomeOf({ episode, input_hash }: Input): { output: LaneOutput; input_hash: string } | Failed {
    try {
      return { output: this.#lane.annotate(episode, this.#config), input_hash };
    } catch (thrown) {
      return failedBy(thrown);
    }
  }

  end(): Promise<void> {
    return this.#packs.handOver();
  }

  discard(): void {
    this.#packs.discard();
  }
}

/** Codes of faults that another try may not meet. */
const passing = new Set(['storage_unavailable', 'busy', 'rate_limited']);

const mayPass = (thrown: unknown): boolean => thrown instanceof AssayError && passing.has(thrown.code);

function errorOf(thrown: unknown): RunError {
  if (thrown instanceof AssayError) {
    const { code, message, path, advice } = thrown;
    return { code, message, path, advice };
  }
  const advice = 'report it with the id of the episode; its other layers are not touched';
  return { code: 'internal', message: `a fault in the program: ${messageOf(thrown)}`, path: null, advice };
}

interface Input {
  readonly episode: LaneEpisode;
  readonly input_hash: string;
}

/**
 * Episodes as lanes see them, out of receipts and shards. A store that does not answer is not waited for here: the
 * episode is tried again later, and others go on meanwhile.
 */
class EpisodeInputs implements AsyncDisposable {
  readonly #shards: ShardWalk;
  readonly #receipts: BlobWindow;
  /** By shard: place of the last episode that is wanted. */
  readonly #last = new Map<string, number>();

  constructor(items: readonly AnnotateItem[], { blobs }: OrderContext) {
    for (const { shard_blob, shard_place } of items)
      if (shard_blob !== null)
        this.#last.set(shard_blob, Math.max(shard_place ?? 0, this.#last.get(shard_blob) ?? 0));
    this.#shards = new ShardWalk(blobs);
    this.#receipts = new BlobWindow(blobs);
  }

  async of(item: AnnotateItem): Promise<Input> {
    const { pack_blob, offset, length, shard_blob, shard_place } = item;
    if (pack_blob === null) throw new AssayError('not_found', 'the episode is not there any more');
    const bytes = await this.#receipts.at(pack_blob, offset, length);
    const { episode, kind, streams, grippers, sources }: Receipt = JSON.parse(Buffer.from(bytes).toString());
    const facts = { episode, kind, streams, grippers };
    const numbers =
      shard_blob === null
        ? []
        : await this.#shards.at(shard_blob, shard_place ?? 0, this.#last.get(shard_blob));
    if (numbers === null)
      throw new AssayError('unreadable_input', 'the numbers of the episode are not in their shard', {
        advice: 'run its source again',
      });
    const input_hash = sha256(canonicalJson({ episode, grippers, kind, sources, streams }));
    return { episode: { facts, streams: numbers }, input_hash };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#shards[Symbol.asyncDispose]();
  }
}
