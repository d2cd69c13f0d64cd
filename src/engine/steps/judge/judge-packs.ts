import {
  type EpisodeRecord,
  judgeMeasurements,
  type ResolvedSettings,
  receiptBody,
  resolveSettings,
  sealReceipt,
} from '#quality/readiness';
import type { NotesReader, UnitNotes } from '../../packs/notes.ts';
import { packLines } from '../../packs/pack-lines.ts';
import type { OpenRun } from '../open-run.ts';
import type { StepContext } from '../step-context.ts';
import type { JudgeUnit } from '../units.ts';
import type { KeptEpisode } from './episode-judge.ts';
import { ReceiptPacks } from './receipt-packs.ts';

/** Judges measured units under the run's settings, seals receipts, and hands them over in packs, a unit in several. */
export async function judge(
  units: readonly JudgeUnit[],
  openRun: OpenRun,
  notes: NotesReader,
  context: StepContext,
): Promise<void> {
  const settings = resolveSettings(openRun.run.settings);
  const packs = new ReceiptPacks(openRun, context);
  try {
    for (const unit of units) {
      context.signal.throwIfAborted();
      context.begin(unit.place);
      await judgeUnit(unit, settings, await context.patiently(() => notes.of(unit.place)), packs, context);
    }
    await packs.handOver();
    await context.settled();
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
  context: StepContext,
): Promise<void> {
  packs.begin(unit);
  for await (const line of packLines(context.blobs, unit.measured_blob, unit.pack_entry.kept)) {
    context.signal.throwIfAborted();
    const { record, measured, embedded }: KeptEpisode = JSON.parse(line);
    const judgement = judgeMeasurements(measured, notes[record.episode.id] ?? {}, record.findings, settings);
    packs.add(sealReceipt(receiptBody(record as EpisodeRecord, judgement, settings)), embedded);
    context.progress(1, 0);
    if (packs.full) await packs.handOver();
  }
  packs.end();
}
