import {
  type EpisodeRecord,
  judgeMeasurements,
  type ResolvedSettings,
  receiptBody,
  resolveSettings,
  sealReceipt,
} from '#readiness';
import type { KeptEpisode } from '../../assessment/episode-judge.ts';
import type { JudgeUnit } from './judge-unit.ts';
import type { NotesReader, UnitNotes } from './notes.ts';
import type { OrderMeans } from './order-means.ts';
import { packLines } from './pack-lines.ts';
import { ReceiptPacks } from './receipt-packs.ts';
import type { RunBench } from './run-bench.ts';

/** Judges measured units under the run's settings, seals receipts, and hands them over in packs, a unit in several. */
export async function judge(
  units: readonly JudgeUnit[],
  bench: RunBench,
  notes: NotesReader,
  means: OrderMeans,
): Promise<void> {
  const settings = resolveSettings(bench.run.settings);
  const packs = new ReceiptPacks(bench, means);
  try {
    for (const unit of units) {
      means.signal.throwIfAborted();
      means.begin(unit.place);
      await judgeUnit(unit, settings, await means.patiently(() => notes.of(unit.place)), packs, means);
    }
    await packs.handOver();
    await means.settled();
  } catch (thrown) {
    packs.discard();
    throw thrown;
  }
}

async function judgeUnit(
  unit: JudgeUnit,
  settings: ResolvedSettings,
  notes: UnitNotes,
  packs: ReceiptPacks,
  means: OrderMeans,
): Promise<void> {
  packs.begin(unit);
  for await (const line of packLines(means.blobs, unit.measured_blob, unit.pack_entry.kept)) {
    means.signal.throwIfAborted();
    const { record, measured }: KeptEpisode = JSON.parse(line);
    const judgement = judgeMeasurements(measured, notes[record.episode.id] ?? {}, record.findings, settings);
    packs.add(sealReceipt(receiptBody(record as EpisodeRecord, judgement, settings)));
    means.progress(1, 0);
    if (packs.full) await packs.handOver();
  }
  packs.end();
}
