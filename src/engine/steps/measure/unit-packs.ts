import { rmSync } from 'node:fs';
import { toJson } from '#core';
import type { Incomplete } from '#core/api';
import type { Finding } from '#core/episode';
import { computeTime_ms } from '#io/processes';
import type { MeasuredRow, ShardWriter } from '#store';
import { openShard } from '#store/blobs';
import type { StepContext } from '../messages.ts';
import type { StoredRun } from '../open-run.ts';
import { type Extent, newBlobKey, PackWriter, packUnitRows } from '../packs/pack-file.ts';
import type { MeasuredUnit } from '../tasks.ts';
import type { MeasureUnit } from '../units.ts';
import type { EpisodeSink } from './episode-measurer.ts';
import type { UnitOutcome, UnitResults } from './measure-units.ts';
import { prefixPath, toUnfinishedError, unfinishedFinding, unfinishedUnit } from './unit-faults.ts';

/** Limits of a pack, so that little is lost with a crashed worker. */
const maxPackTime_ms = 1000;
const maxPackBytes = 24e6;
const maxFindings = 20;

/** Submits measured units in packs. */
export class UnitPacks implements UnitResults {
  readonly #openRun: StoredRun;
  readonly #context: StepContext;
  #pack: MeasuredPack | null = null;

  constructor(openRun: StoredRun, context: StepContext) {
    this.#openRun = openRun;
    this.#context = context;
  }

  async begin(): Promise<EpisodeSink> {
    this.#pack ??= await this.#openPack();
    return this.#pack.begin();
  }

  async add(task: MeasureUnit, outcome: UnitOutcome): Promise<void> {
    this.#pack!.add(task, outcome);
    if (this.#pack!.full) await this.#flush();
  }

  async finish(): Promise<readonly []> {
    await this.#flush();
    await this.#context.flush();
    return [];
  }

  async discard(): Promise<void> {
    await this.#pack?.discard();
  }

  async #openPack(): Promise<MeasuredPack> {
    return new MeasuredPack(this.#openRun, this.#context, await openShard(this.#context.scratchFile()));
  }

  async #flush(): Promise<void> {
    await this.#pack?.flush();
    this.#pack = null;
  }
}

interface PackedUnit {
  readonly row: Omit<MeasuredRow, 'pack_entry' | 'measured_blob' | 'shard_blob'>;
  readonly kept: Extent;
  readonly rows: Uint8Array;
  readonly shard_from: number;
}

type UnitResult = Pick<MeasuredRow, 'state' | 'episodes' | 'unreadable' | 'kinds' | 'findings' | 'error'>;

const noRows: MeasuredUnit['rows'] = { episodes: [], indices: [], packed: {} };

/** A pack of measured units in one blob, and their numbers in a shard. */
class MeasuredPack {
  readonly #openRun: StoredRun;
  readonly #context: StepContext;
  readonly #file: PackWriter;
  readonly #shard: ShardWriter;
  #sharded = 0;
  /** Start of the unit that was begun: offset in the file, place in the shard, compute time of the thread. */
  #unit = { from: 0, shard_from: 0, from_ms: 0 };
  readonly #begun = performance.now();
  readonly #units: PackedUnit[] = [];

  constructor(openRun: StoredRun, context: StepContext, shard: ShardWriter) {
    this.#openRun = openRun;
    this.#context = context;
    this.#file = new PackWriter(context.scratchFile());
    this.#shard = shard;
  }

  /** Returns true if a limit of a pack is reached. */
  get full(): boolean {
    const late = performance.now() - this.#begun >= maxPackTime_ms;
    return late || this.#shard.full || this.#file.position >= maxPackBytes;
  }

  /** Begins a unit and returns what takes its episodes. */
  begin(): EpisodeSink {
    this.#unit = { from: this.#file.position, shard_from: this.#sharded, from_ms: computeTime_ms() };
    return async (kept, episode) => {
      this.#file.writeLine(JSON.stringify(kept));
      this.#sharded++;
      await this.#shard.add(episode.id, episode.streams, episode.calibrations);
    };
  }

  /** Adds the outcome of the unit that was begun; one that was not measured is recorded as failed. */
  add(task: MeasureUnit, outcome: UnitOutcome): void {
    const { from, shard_from, from_ms } = this.#unit;
    const result = this.#toResult(task, outcome);
    if (result.state === 'failed') this.#file.rewind(from);
    const { place, attempt, unit } = task;
    const compute_s = (computeTime_ms() - from_ms) / 1000;
    this.#units.push({
      row: { place, attempt, bytes: unit.bytes, compute_s, ...result },
      kept: [from, this.#file.position - from],
      rows: packUnitRows(
        outcome.state === 'measured' && result.state === 'measured' ? outcome.unit.rows : noRows,
      ),
      shard_from,
    });
  }

  #toResult(task: MeasureUnit, outcome: UnitOutcome): UnitResult {
    if (outcome.state === 'unreadable') return this.#failed(task, outcome.finding);
    if (outcome.state === 'unfinished') return this.#unfinished(task, outcome.incomplete);
    // Units are measured completely or not at all; the whole unit is measured again when the run is resumed.
    const [unfinished] = outcome.unit.unfinished ?? [];
    if (unfinished !== undefined)
      return this.#unfinished(task, unfinishedUnit(task, toUnfinishedError(unfinished)));
    const { episodes, unreadable, kinds, findings } = outcome.unit;
    return { state: 'measured', episodes, unreadable, kinds, findings, error: null };
  }

  #unfinished(task: MeasureUnit, incomplete: Incomplete): UnitResult {
    return { ...this.#failed(task, unfinishedFinding(incomplete)), unreadable: 0 };
  }

  #failed({ dataset, unit }: MeasureUnit, finding: Finding): UnitResult {
    const path = prefixPath(this.#openRun.datasets[dataset].recognised.path, finding.path);
    return {
      state: 'failed',
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
