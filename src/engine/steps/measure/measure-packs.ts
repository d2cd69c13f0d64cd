import { rmSync } from 'node:fs';
import { toJson } from '#core';
import type { Finding } from '#core/episode';
import type { MeasuredRow, ShardWriter } from '#store';
import { openShard } from '#store/blobs';
import { blobName } from '../../packs/blob-name.ts';
import { type Extent, PackWriter } from '../../packs/pack-writer.ts';
import { packRows } from '../../packs/row-section.ts';
import type { OpenRun } from '../open-run.ts';
import type { StepContext } from '../step-context.ts';
import type { MeasuredUnit } from '../tasks.ts';
import type { MeasureUnit } from '../units.ts';
import { findingOf } from './not-finished.ts';
import { isNotMeasured, unfinishedIn, unfinishedUnit } from './unfinished.ts';
import { below, concernsOneUnit, unitFinding } from './unit-finding.ts';

/** A pack is handed over after so long or so much, so that little is lost with a worker. */
const packTime_ms = 1000;
const packBytes = 24e6;
const findingsTold = 20;

/** Measures units one after the other and hands them over in packs. A unit that cannot be read becomes a finding. */
export async function measure(
  units: readonly MeasureUnit[],
  openRun: OpenRun,
  context: StepContext,
): Promise<void> {
  let pack: MeasuredPack | null = null;
  try {
    for (const unit of units) {
      context.signal.throwIfAborted();
      context.begin(unit.place);
      pack ??= await openPack(openRun, context);
      await pack.measure(unit);
      if (!pack.full) continue;
      await pack.handOver();
      pack = null;
    }
    await pack?.handOver();
    pack = null;
    await context.settled();
  } catch (thrown) {
    await pack?.discard();
    throw thrown;
  }
}

async function openPack(openRun: OpenRun, context: StepContext): Promise<MeasuredPack> {
  return new MeasuredPack(openRun, context, await openShard(context.scratchFile()));
}

interface Measured {
  readonly row: Omit<MeasuredRow, 'pack_entry' | 'measured_blob' | 'shard_blob'>;
  readonly kept: Extent;
  readonly rows: Uint8Array;
  readonly shard_from: number;
}

/** Some units measured into one blob, and their numbers into another. */
class MeasuredPack {
  readonly #openRun: OpenRun;
  readonly #context: StepContext;
  readonly #file: PackWriter;
  readonly #shard: ShardWriter;
  #sharded = 0;
  readonly #begun = performance.now();
  readonly #units: Measured[] = [];

  constructor(openRun: OpenRun, context: StepContext, shard: ShardWriter) {
    this.#openRun = openRun;
    this.#context = context;
    this.#file = new PackWriter(context.scratchFile());
    this.#shard = shard;
  }

  get full(): boolean {
    const late = performance.now() - this.#begun >= packTime_ms;
    return late || this.#shard.full || this.#file.position >= packBytes;
  }

  async measure(task: MeasureUnit): Promise<void> {
    const from = this.#file.position;
    const shard_from = this.#sharded;
    const begun = performance.now();
    const pipeline = this.#openRun.pipeline(async (kept, episode) => {
      this.#file.line(JSON.stringify(kept));
      this.#sharded++;
      await this.#shard.add(episode.id, episode.streams, episode.calibrations);
    });
    let row: Pick<MeasuredRow, 'state' | 'episodes' | 'unreadable' | 'kinds' | 'findings' | 'error'>;
    let rows: MeasuredUnit['rows'] = { episodes: [], indices: [], packed: {} };
    try {
      const unit = await pipeline.measure(task);
      // A unit is measured whole or not at all: the whole of it is measured again when the run is resumed.
      const [unfinished] = unit.unfinished ?? [];
      if (unfinished !== undefined) throw unfinishedIn(unfinished);
      const { episodes, unreadable, kinds, findings } = unit;
      row = { state: 'measured', episodes, unreadable, kinds, findings, error: null };
      rows = unit.rows;
    } catch (thrown) {
      // Its queries are ended then, which says nothing of the unit.
      this.#context.signal.throwIfAborted();
      const unfinished = isNotMeasured(thrown);
      if (!unfinished && !concernsOneUnit(thrown)) throw thrown;
      this.#file.rewind(from);
      row = unfinished
        ? { ...this.#failed(task, findingOf(unfinishedUnit(task, thrown))), unreadable: 0 }
        : this.#failed(task, unitFinding(task, thrown));
    }
    const { place, attempt, unit } = task;
    const compute_s = (performance.now() - begun) / 1000;
    this.#units.push({
      row: { place, attempt, bytes: unit.bytes, compute_s, ...row },
      kept: [from, this.#file.position - from],
      rows: packRows(rows),
      shard_from,
    });
  }

  #failed({ dataset, unit }: MeasureUnit, finding: Finding) {
    const path = below(this.#openRun.datasets[dataset].recognised.path, finding.path);
    return {
      state: 'failed' as const,
      episodes: 0,
      unreadable: Math.max(1, unit.expected_episodes),
      kinds: {},
      findings: [],
      error: { ...finding, path },
    };
  }

  async handOver(): Promise<void> {
    const measured_blob = blobName(this.#openRun.run, 'measured');
    const entries = this.#units.map(({ kept, rows, shard_from }) => ({
      kept,
      rows: this.#file.bytes(rows),
      shard_from,
    }));
    this.#file.close();
    const shard = await this.#closeShard();
    const shard_blob = shard === null ? null : `${blobName(this.#openRun.run, 'streams')}.parquet`;
    const units = this.#units.map(({ row }, i): MeasuredRow => {
      if (row.state === 'failed') return { ...row, measured_blob: null, pack_entry: null, shard_blob: null };
      return { ...row, measured_blob, pack_entry: entries[i], shard_blob };
    });
    const findings = units.flatMap(({ findings, error }) => (error === null ? findings : [error]));
    const { blobs } = this.#context;
    const stored = this.#context.patiently(async () => {
      await blobs.putFile(measured_blob, this.#file.path);
      if (shard !== null && shard_blob !== null) await blobs.putFile(shard_blob, shard);
    });
    const told = findings.slice(0, findingsTold);
    await this.#context.hand({ type: 'measured', units: toJson(units), findings: told }, stored);
  }

  async #closeShard(): Promise<string | null> {
    if (this.#sharded > 0) return (await this.#shard.close()).path;
    await this.#shard.abandon();
    return null;
  }

  async discard(): Promise<void> {
    this.#file.close();
    rmSync(this.#file.path, { force: true });
    await this.#shard.abandon();
  }
}
