import { type LaneEpisode, type LaneRow, type LayerConfig, lanes } from '#annotation';
import type { Receipt } from '#contract';
import { AssayError, canonicalJson, type JsonValue, messageOf, sha256 } from '#kernel';
import type { AnnotatedRow, RunError } from '#store';
import { ArtifactPacks } from './artifact-packs.ts';
import { BlobWindow } from './blob-window.ts';
import type { OrderMeans } from './order-means.ts';
import { ShardWalk } from './shard-walk.ts';
import type { Order } from './thread-messages.ts';

/** An episode to be annotated: where its receipt and its numbers lie. Without a receipt it is gone. */
export interface AnnotateItem {
  readonly place: number;
  readonly attempt: number;
  readonly episode_id: string;
  readonly shard_blob: string | null;
  readonly shard_place: number | null;
  readonly pack_blob: string | null;
  readonly offset: number;
  readonly length: number;
}

/** Annotates episodes in one layer, and hands them over a second's work at a time; one that fails fails alone. */
export async function annotate(
  order: Extract<Order, { type: 'annotate' }>,
  means: OrderMeans,
): Promise<void> {
  const lane = lanes.get(order.layer);
  if (lane === undefined) throw new AssayError('layer_unavailable', `no lane runs ${order.layer}`);
  const items: readonly AnnotateItem[] = JSON.parse(order.items);
  const packs = new ArtifactPacks(order.prefix, means);
  await using inputs = new EpisodeInputs(means);
  try {
    let from_ms = performance.now();
    for (const item of items) {
      means.signal.throwIfAborted();
      means.begin(item.place);
      const told = await outcomeOf(lane, order.config, item, inputs);
      const now_ms = performance.now();
      const { place, attempt } = item;
      const row = { place, attempt, compute_s: (now_ms - from_ms) / 1000 };
      if ('error' in told) packs.addFailed({ ...row, ...told });
      else packs.add(row, told.output, told.input_hash);
      from_ms = now_ms;
      means.progress(1, 0);
      if (packs.full) await packs.handOver();
    }
    await packs.handOver();
    await means.settled();
  } catch (thrown) {
    packs.discard();
    throw thrown;
  }
}

type Told =
  | { readonly output: ReturnType<LaneRow['annotate']>; readonly input_hash: string }
  | Pick<AnnotatedRow, 'state' | 'error'>;

async function outcomeOf(
  lane: LaneRow,
  config: LayerConfig,
  item: AnnotateItem,
  inputs: EpisodeInputs,
): Promise<Told> {
  try {
    const { episode, input_hash } = await inputs.of(item);
    return { output: lane.annotate(episode, config), input_hash };
  } catch (thrown) {
    if (thrown instanceof AssayError && thrown.code === 'cancelled') throw thrown;
    return { state: mayPass(thrown) ? 'again' : 'failed', error: errorOf(thrown) };
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

/** Episodes as lanes see them, out of receipts and shards. */
class EpisodeInputs implements AsyncDisposable {
  readonly #means: OrderMeans;
  readonly #shards: ShardWalk;
  readonly #receipts: BlobWindow;

  constructor(means: OrderMeans) {
    this.#means = means;
    this.#shards = new ShardWalk(means.blobs);
    this.#receipts = new BlobWindow(means.blobs);
  }

  async of(item: AnnotateItem): Promise<{ episode: LaneEpisode; input_hash: string }> {
    const { pack_blob, offset, length, shard_blob, shard_place } = item;
    if (pack_blob === null) throw new AssayError('not_found', 'the episode is not there any more');
    const { patiently } = this.#means;
    const bytes = await patiently(() => this.#receipts.at(pack_blob, offset, length));
    const { episode, kind, streams, grippers, sources }: Receipt = JSON.parse(Buffer.from(bytes).toString());
    const facts = { episode, kind, streams, grippers };
    const numbers =
      shard_blob === null ? [] : await patiently(() => this.#shards.at(shard_blob, shard_place ?? 0));
    if (numbers === null)
      throw new AssayError('unreadable_input', 'the numbers of the episode are not in their shard', {
        advice: 'run its source again',
      });
    const input_hash = sha256(canonicalJson({ ...facts, sources } as unknown as JsonValue));
    return { episode: { facts, streams: numbers }, input_hash };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#shards[Symbol.asyncDispose]();
  }
}
