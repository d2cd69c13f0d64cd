import type { Assessment, Receipt } from '#contract';
import { checks } from '#readiness';
import { createReport, type ReportFile, renderEpisode } from '#report';
import type { PackEntry } from '#store';
import type { KeptEpisode } from '../../assessment/episode-judge.ts';
import type { OrderMeans } from './order-means.ts';
import { packLines } from './pack-lines.ts';
import type { Extent } from './pack-writer.ts';

/** A judged unit: what was measured of its episodes, and their receipts, line by line the same episode. */
export interface ReportUnit {
  readonly measured_blob: string;
  readonly pack_entry: PackEntry;
  readonly receipts_blob: string;
  readonly receipts_entry: Extent;
}

export interface ReportOrder {
  readonly title: string;
  readonly summary: Assessment['dataset'];
  /** Keys of its files start so. */
  readonly prefix: string;
}

/** Draws the report of a run from its receipts and sketches; the same run gives the same bytes. */
export async function report(
  units: readonly ReportUnit[],
  { title, summary, prefix }: ReportOrder,
  means: OrderMeans,
): Promise<void> {
  const { blobs } = means;
  const builder = createReport({ title, checks: checks.rows });
  const write = async (files: readonly ReportFile[]) => {
    for (const { path, content } of files) {
      await means.patiently(() => blobs.put(`${prefix}/${path}`, Buffer.from(content)));
    }
  };
  for (const unit of units) {
    const receipts = packLines(blobs, unit.receipts_blob, unit.receipts_entry);
    for await (const kept of packLines(blobs, unit.measured_blob, unit.pack_entry.kept)) {
      means.signal.throwIfAborted();
      const { sketch }: KeptEpisode = JSON.parse(kept);
      const receipt: Receipt = JSON.parse((await receipts.next()).value!);
      await write(builder.add(renderEpisode(receipt, sketch, null)));
      means.progress(1, 0);
    }
  }
  await write(builder.finish(summary));
}
