import type { Assessment, Receipt } from '#contract';
import type { Stream } from '#episode';
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
import type { OrderMeans } from './order-means.ts';
import { packLines } from './pack-lines.ts';
import { ShardWalk } from './shard-walk.ts';

/** A judged unit: what was measured of its episodes, and their receipts, line by line the same episode. */
export interface ReportUnit {
  readonly measured_blob: string;
  readonly pack_entry: PackEntry;
  readonly shard_blob: string | null;
  readonly receipts: readonly ReceiptsExtent[];
}

export interface ReportOrder {
  readonly title: string;
  readonly summary: Assessment['dataset'];
  /** Keys of its files start so. */
  readonly prefix: string;
  /** Of the run, as its sketches were measured out. */
  readonly episodes_expected: number;
}

/** Draws the report of a run from its receipts and sketches; the same run gives the same bytes. */
export async function report(
  units: readonly ReportUnit[],
  { title, summary, prefix, episodes_expected }: ReportOrder,
  means: OrderMeans,
): Promise<void> {
  const { blobs } = means;
  const codes = sketchBudget(episodes_expected);
  const builder = createReport({ title, checks: checks.rows });
  const write = async (files: readonly ReportFile[]) => {
    for (const { path, content } of files) {
      await means.patiently(() => blobs.put(`${prefix}/${path}`, Buffer.from(content)));
    }
  };
  for (const unit of units) {
    await using numbers = new ShardWalk(blobs);
    const receipts = receiptLines(blobs, unit.receipts);
    const { shard_blob } = unit;
    const streamsAt = async (place: number) =>
      shard_blob === null ? [] : ((await numbers.at(shard_blob, place)) ?? []);
    let place = unit.pack_entry.shard_from;
    for await (const line of packLines(blobs, unit.measured_blob, unit.pack_entry.kept)) {
      means.signal.throwIfAborted();
      const kept: KeptEpisode = JSON.parse(line);
      const receipt: Receipt = JSON.parse((await receipts.next()).value!);
      const sketch = kept.sketch ?? drawn(kept, await streamsAt(place), codes);
      await write(builder.add(renderEpisode(receipt, sketch, null)));
      means.progress(1, 0);
      place++;
    }
  }
  await write(builder.finish(summary));
}

async function* receiptLines(blobs: Blobs, extents: readonly ReceiptsExtent[]): AsyncGenerator<string> {
  for (const [blob, ...extent] of extents) yield* packLines(blobs, blob, extent);
}

/** A sketch of what was not drawn when it was measured: an episode without pictures. */
function drawn({ undrawn }: KeptEpisode, streams: readonly Stream[], codes: number): EpisodeSketch | null {
  return undrawn === undefined ? null : sketchEpisode({ ...undrawn, streams }, new Map(), { codes });
}
