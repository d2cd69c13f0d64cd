import type { Assessment, Receipt } from '#contract';
import type { Finding, Stream } from '#episode';
import { type DatasetFacts, loadsOf } from '#formats';
import { checks } from '#readiness';
import {
  createReport,
  type EpisodeSketch,
  type ReportFile,
  renderEpisode,
  sketchBudget,
  sketchEpisode,
} from '#report';
import type { Blobs, PackEntry, ReceiptsExtent } from '#store';
import type { KeptEpisode } from '../../assessment/episode-judge.ts';
import { SeenBreaches } from '../../assessment/seen-breaches.ts';
import type { OrderContext } from './order-context.ts';
import { packLines } from './pack-lines.ts';
import { ShardWalk } from './shard-walk.ts';

/** A judged unit: what was measured of its episodes, and their receipts, line by line the same episode. */
export interface ReportUnit {
  /** Place of its dataset. */
  readonly dataset: number;
  readonly measured_blob: string;
  readonly pack_entry: PackEntry;
  readonly shard_blob: string | null;
  readonly receipts: readonly ReceiptsExtent[];
}

export interface ReportedDataset {
  readonly place: number;
  readonly facts: DatasetFacts;
  readonly findings: readonly Pick<Finding, 'code'>[];
}

export interface ReportOrder {
  readonly title: string;
  readonly summary: Assessment['dataset'];
  /** Those of the summary, in its order, each with its own findings. */
  readonly datasets: readonly ReportedDataset[];
  /** Keys of its files start so. */
  readonly prefix: string;
  /** Of the run, as its sketches were measured out. */
  readonly episodes_expected: number;
}

/** Draws the report of a run from its receipts and sketches; the same run gives the same bytes. */
export async function report(
  units: readonly ReportUnit[],
  { title, summary, datasets, prefix, episodes_expected }: ReportOrder,
  context: OrderContext,
): Promise<void> {
  const { blobs } = context;
  const codes = sketchBudget(episodes_expected);
  const builder = createReport({ title, checks: checks.rows });
  const write = async (files: readonly ReportFile[]) => {
    for (const { path, content } of files) {
      await context.patiently(() => blobs.put(`${prefix}/${path}`, Buffer.from(content)));
    }
  };
  const seen = datasets.map(() => new SeenBreaches());
  for (const unit of units) {
    const breaches = seen[datasets.findIndex(({ place }) => place === unit.dataset)];
    await using numbers = new ShardWalk(blobs);
    const receipts = receiptLines(blobs, unit.receipts);
    const { shard_blob } = unit;
    const streamsAt = async (place: number) =>
      shard_blob === null ? [] : ((await numbers.at(shard_blob, place)) ?? []);
    let place = unit.pack_entry.shard_from;
    for await (const line of packLines(blobs, unit.measured_blob, unit.pack_entry.kept)) {
      context.signal.throwIfAborted();
      const kept: KeptEpisode = JSON.parse(line);
      const receipt: Receipt = JSON.parse((await receipts.next()).value!);
      breaches.add(receipt.findings, receipt.flags);
      const sketch = kept.sketch ?? drawn(kept, await streamsAt(place), codes);
      await write(builder.add(renderEpisode(receipt, sketch, null)));
      context.progress(1, 0);
      place++;
    }
  }
  const parts = summary.parts.map((part, at) => {
    const loads = loadsOf(datasets[at].facts, seen[at].with(datasets[at].findings));
    return { ...part, loads: loads === null ? null : { ...loads, why: [...loads.why] } };
  });
  await write(builder.finish({ ...summary, parts }));
}

async function* receiptLines(blobs: Blobs, extents: readonly ReceiptsExtent[]): AsyncGenerator<string> {
  for (const [blob, ...extent] of extents) yield* packLines(blobs, blob, extent);
}

/** A sketch of what was not drawn when it was measured: an episode without pictures. */
function drawn({ undrawn }: KeptEpisode, streams: readonly Stream[], codes: number): EpisodeSketch | null {
  return undrawn === undefined ? null : sketchEpisode({ ...undrawn, streams }, new Map(), { codes });
}
