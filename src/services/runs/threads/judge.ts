import { rmSync } from 'node:fs';
import type { Receipt } from '#contract';
import type { Kind } from '#episode';
import { newId } from '#kernel';
import {
  type EpisodeRecord,
  judgeMeasurements,
  type ResolvedSettings,
  receiptBody,
  resolveSettings,
  sealReceipt,
} from '#readiness';
import type { JudgedEpisode, JudgedRow, PackEntry } from '#store';
import type { KeptEpisode } from '../../assessment/episode-judge.ts';
import { kindSetByHand } from '../../assessment/episode-measurer.ts';
import { blobName } from './blob-name.ts';
import type { NotesReader } from './notes.ts';
import type { OrderMeans } from './order-means.ts';
import { packLines } from './pack-lines.ts';
import { PackWriter } from './pack-writer.ts';
import type { RunBench } from './run-bench.ts';

/** A measured unit, as it was claimed to be judged. */
export interface JudgeUnit {
  readonly place: number;
  readonly dataset: number;
  readonly attempt: number;
  readonly measured_blob: string;
  readonly pack_entry: PackEntry;
  readonly shard_blob: string | null;
}

/** What goes into one commit. */
const partTime_ms = 1000;
const partEpisodes = 1000;

/** Judges measured units under the run's settings, seals receipts, and hands units over in packs of receipts. */
export async function judge(
  units: readonly JudgeUnit[],
  bench: RunBench,
  notes: NotesReader,
  means: OrderMeans,
): Promise<void> {
  const settings = resolveSettings(bench.run.settings);
  let pack: ReceiptPack | null = null;
  try {
    for (const unit of units) {
      means.signal.throwIfAborted();
      means.begin(unit.place);
      pack ??= new ReceiptPack(bench, means, settings);
      await pack.judge(unit, notes);
      if (!pack.full) continue;
      await pack.handOver();
      pack = null;
    }
    await pack?.handOver();
    pack = null;
    await means.settled();
  } catch (thrown) {
    pack?.discard();
    throw thrown;
  }
}

/** The receipts of some units, one a line, and the rows that go with them. */
class ReceiptPack {
  readonly #bench: RunBench;
  readonly #means: OrderMeans;
  readonly #settings: ResolvedSettings;
  readonly #key: string;
  readonly #file: PackWriter;
  readonly #begun = performance.now();
  readonly #units: JudgedRow[] = [];
  readonly #episodes: string[] = [];

  constructor(bench: RunBench, means: OrderMeans, settings: ResolvedSettings) {
    this.#bench = bench;
    this.#means = means;
    this.#settings = settings;
    this.#key = blobName(bench.run, 'receipts');
    this.#file = new PackWriter(means.scratchFile());
  }

  get full(): boolean {
    return this.#episodes.length >= partEpisodes || performance.now() - this.#begun >= partTime_ms;
  }

  async judge(task: JudgeUnit, reader: NotesReader): Promise<void> {
    const { place, attempt, measured_blob, pack_entry, shard_blob } = task;
    const begun = performance.now();
    const from = this.#file.position;
    const { path: dataset_path, format } = this.#bench.datasets[task.dataset];
    const notes = await this.#means.patiently(() => reader.of(place));
    const names = new Names();
    let at = from;
    let shard_place = pack_entry.shard_from;
    for await (const line of packLines(this.#means.blobs, measured_blob, pack_entry.kept)) {
      const { record, measured }: KeptEpisode = JSON.parse(line);
      const judgement = judgeMeasurements(measured, notes[record.episode.id] ?? {}, this.#settings);
      const { receipt, json } = sealReceipt(receiptBody(record as EpisodeRecord, judgement, this.#settings));
      const length = this.#file.line(json);
      const row: JudgedEpisode = {
        ...episodeRow(receipt),
        name: names.unique(receipt.episode.id),
        dataset_path,
        format,
        shard_blob,
        shard_place: shard_blob === null ? null : shard_place++,
        pack_blob: this.#key,
        offset: at,
        length,
      };
      at += length + 1;
      this.#episodes.push(JSON.stringify(row));
      this.#means.progress(1, 0);
      this.#means.signal.throwIfAborted();
    }
    this.#units.push({
      place,
      attempt,
      receipts_blob: this.#key,
      receipts_entry: [from, at - from],
      compute_s: (performance.now() - begun) / 1000,
    });
  }

  async handOver(): Promise<void> {
    this.#file.close();
    const stored = this.#means.patiently(() => this.#means.blobs.putFile(this.#key, this.#file.path));
    const units = JSON.stringify(this.#units);
    await this.#means.hand(
      { type: 'judged', count: this.#units.length, units, episodes: `[${this.#episodes.join()}]` },
      stored,
    );
  }

  discard(): void {
    this.#file.close();
    rmSync(this.#file.path, { force: true });
  }
}

/** Readers name each episode of a dataset once; a damaged recording that names one twice must not stop a commit. */
class Names {
  readonly #seen = new Map<string, number>();

  unique(name: string): string {
    const before = this.#seen.get(name) ?? 0;
    this.#seen.set(name, before + 1);
    return before === 0 ? name : `${name} (${before + 1})`;
  }
}

const setByHand = new RegExp(`^${kindSetByHand}; the streams say (\\S+)$`);

/** What the streams say where it is not what the episode was judged as. */
function derivedKind({ kind, evidence }: Receipt['kind']): Kind | null {
  const said = setByHand.exec(evidence[0] ?? '')?.[1];
  return said === undefined || said === kind ? null : (said as Kind);
}

function episodeRow({ episode, kind, ...receipt }: Receipt) {
  return {
    id: newId('ep'),
    receipt_id: newId('rcp'),
    index: episode.index,
    kind: kind.kind,
    derived_kind: derivedKind(kind),
    decision: receipt.decision,
    score: receipt.score,
    graded_fraction: receipt.graded_fraction,
    duration_s: episode.duration_s,
    start_ns: episode.start_ns,
    robot: episode.robot,
    task: episode.tasks?.[0] ?? null,
    outcome: episode.outcome.value,
    flags: [...new Set(receipt.flags.map(({ code }) => code))],
    content_hash: receipt.content_hash,
    settings_hash: receipt.settings_hash,
  };
}
