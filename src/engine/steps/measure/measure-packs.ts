import { rmSync } from 'node:fs';
import { toJson } from '#core';
import type { Finding } from '#core/episode';
import { computeTime_ms } from '#io/processes';
import type { MeasuredRow, ShardWriter } from '#store';
import { openShard } from '#store/blobs';
import { newBlobKey } from '../../packs/blob-key.ts';
import { type Extent, PackWriter, packUnitRows } from '../../packs/pack-file.ts';
import type { StepContext } from '../messages.ts';
import type { OpenRun } from '../open-run.ts';
import type { MeasuredUnit } from '../tasks.ts';
import type { MeasureUnit } from '../units.ts';
import {
  isNotMeasured,
  isUnitFault,
  prefixPath,
  toUnfinishedError,
  unfinishedFinding,
  unfinishedUnit,
  unitFinding,
} from './unit-faults.ts';

/** Limits of a pack, so that little is lost with a crashed worker. */
const maxPackTime_ms = 1000;
const maxPackBytes = 24e6;
const maxFindings = 20;

/** Measures units one after another and submits them in packs. A unit that cannot be read becomes a finding. */
export async function measureIntoPacks(
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
      await pack.flush();
      pack = null;
    }
    await pack?.flush();
    pack = null;
    await context.flush();
  } catch (thrown) {
    await pack?.discard();
    throw thrown;
  }
}

async function openPack(openRun: OpenRun, context: StepContext): Promise<MeasuredPack> {
  return new MeasuredPack(openRun, context, await openShard(context.scratchFile()));
}

interface PackedUnit {
  readonly row: Omit<MeasuredRow, 'pack_entry' | 'measured_blob' | 'shard_blob'>;
  readonly kept: Extent;
  readonly rows: Uint8Array;
  readonly shard_from: number;
}

/** A pack of measured units in one blob, and their numbers in a shard. */
class MeasuredPack {
  readonly #openRun: OpenRun;
  readonly #context: StepContext;
  readonly #file: PackWriter;
  readonly #shard: ShardWriter;
  #sharded = 0;
  readonly #begun = performance.now();
  readonly #units: PackedUnit[] = [];

  constructor(openRun: OpenRun, context: StepContext, shard: ShardWriter) {
    this.#openRun = openRun;
    this.#context = context;
    this.#file = new PackWriter(context.scratchFile());
    this.#shard = shard;
  }

  /** True if a limit of a pack is reached. */
  get full(): boolean {
    const late = performance.now() - this.#begun >= maxPackTime_ms;
    return late || this.#shard.full || this.#file.position >= maxPackBytes;
  }

  /** Measures a unit into the pack; a unit that cannot be read is recorded as failed. */
  async measure(task: MeasureUnit): Promise<void> {
    const from = this.#file.position;
    const shard_from = this.#sharded;
    const from_ms = computeTime_ms();
    const pipeline = this.#openRun.pipeline(async (kept, episode) => {
      this.#file.writeLine(JSON.stringify(kept));
      this.#sharded++;
      await this.#shard.add(episode.id, episode.streams, episode.calibrations);
    });
    let row: Pick<MeasuredRow, 'state' | 'episodes' | 'unreadable' | 'kinds' | 'findings' | 'error'>;
    let rows: MeasuredUnit['rows'] = { episodes: [], indices: [], packed: {} };
    try {
      const unit = await pipeline.measure(task);
      // Units are measured completely or not at all; the whole unit is measured again when the run is resumed.
      const [unfinished] = unit.unfinished ?? [];
      if (unfinished !== undefined) throw toUnfinishedError(unfinished);
      const { episodes, unreadable, kinds, findings } = unit;
      row = { state: 'measured', episodes, unreadable, kinds, findings, error: null };
      rows = unit.rows;
    } catch (thrown) {
      // After an abort its queries fail, which says nothing about the unit.
      this.#context.signal.throwIfAborted();
      const unfinished = isNotMeasured(thrown);
      if (!unfinished && !isUnitFault(thrown)) throw thrown;
      this.#file.rewind(from);
      row = unfinished
        ? { ...this.#failed(task, unfinishedFinding(unfinishedUnit(task, thrown))), unreadable: 0 }
        : this.#failed(task, unitFinding(task, thrown));
    }
    const { place, attempt, unit } = task;
    const compute_s = (computeTime_ms() - from_ms) / 1000;
    this.#units.push({
      row: { place, attempt, bytes: unit.bytes, compute_s, ...row },
      kept: [from, this.#file.position - from],
      rows: packUnitRows(rows),
      shard_from,
    });
  }

  #failed({ dataset, unit }: MeasureUnit, finding: Finding) {
    const path = prefixPath(this.#openRun.datasets[dataset].recognised.path, finding.path);
    return {
      state: 'failed' as const,
      episodes: 0,
      unreadable: Math.max(1, unit.expected_episodes),
      kinds: {},
      findings: [],
      error: { ...finding, path },
    };
  }

  /** Stores the pack and submits its units. */
  async flush(): Promise<void> {
    const measured_blob = newBlobKey(this.#openRun.run, 'measured');
    const entries = this.#units.map(({ kept, rows, shard_from }) => ({
      kept,
      rows: this.#file.writeBytes(rows),
      shard_from,
    }));
    this.#file.close();
    const shard = await this.#closeShard();
    const shard_blob = shard === null ? null : `${newBlobKey(this.#openRun.run, 'streams')}.parquet`;
    const units = this.#units.map(({ row }, i): MeasuredRow => {
      if (row.state === 'failed') return { ...row, measured_blob: null, pack_entry: null, shard_blob: null };
      return { ...row, measured_blob, pack_entry: entries[i], shard_blob };
    });
    const findings = units.flatMap(({ findings, error }) => (error === null ? findings : [error]));
    const { blobs } = this.#context;
    const stored = this.#context.retry(async () => {
      await blobs.putFile(measured_blob, this.#file.path);
      if (shard !== null && shard_blob !== null) await blobs.putFile(shard_blob, shard);
    });
    const first = findings.slice(0, maxFindings);
    await this.#context.submit({ type: 'measured', units: toJson(units), findings: first }, stored);
  }

  async #closeShard(): Promise<string | null> {
    if (this.#sharded > 0) return (await this.#shard.close()).path;
    await this.#shard.abandon();
    return null;
  }

  /** Deletes a pack that was not submitted. */
  async discard(): Promise<void> {
    this.#file.close();
    rmSync(this.#file.path, { force: true });
    await this.#shard.abandon();
  }
}
