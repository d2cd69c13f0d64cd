import { type JsonText, parseJson } from '#core';
import type { Incomplete } from '#core/api';
import type { Finding } from '#core/episode';
import type { ThreadContext } from '../messages.ts';
import type { OpenRun } from '../open-run.ts';
import type { MeasuredUnit } from '../tasks.ts';
import type { MeasureUnit } from '../units.ts';
import type { EpisodeSink } from './episode-measurer.ts';
import { isNotMeasured, isUnitFault, unfinishedUnit, unitFinding } from './unit-faults.ts';
import type { UnitPipeline } from './unit-pipeline.ts';

/** Result of measuring a unit; paths are relative to its dataset. */
export type UnitOutcome =
  | { readonly state: 'measured'; readonly unit: MeasuredUnit }
  | { readonly state: 'unreadable'; readonly finding: Finding }
  /** It could not be measured on this machine. */
  | { readonly state: 'unfinished'; readonly incomplete: Incomplete };

/**
 * Destination of measured units: the command that asked for them (`ReturnedUnits`), or packs in the blob store
 * (`UnitPacks`).
 */
export interface UnitResults {
  /** Begins a unit. Returns what takes its episodes; null: the pipeline keeps them, in memory or temporary files. */
  begin(unit: MeasureUnit): Promise<EpisodeSink | null>;
  /** Adds the outcome of the unit that was begun. */
  add(unit: MeasureUnit, outcome: UnitOutcome): Promise<void>;
  /** Ends the request and returns its answer. */
  finish(): Promise<readonly UnitOutcome[]>;
  /** Deletes what was not submitted, after an error. */
  discard(): Promise<void>;
}

/**
 * Measures units one after another, adds each outcome to `results`, and returns its answer; a unit that cannot be read does
 * not stop the others.
 */
export async function measureUnits(
  units: JsonText<readonly MeasureUnit[]>,
  openRun: OpenRun,
  results: UnitResults,
  context: ThreadContext,
): Promise<readonly UnitOutcome[]> {
  try {
    for (const unit of parseJson(units)) {
      context.signal.throwIfAborted();
      context.begin(unit.place);
      const sink = await results.begin(unit);
      await results.add(unit, await measureUnit(unit, openRun.pipeline(sink), context.signal));
    }
    return await results.finish();
  } catch (thrown) {
    await results.discard();
    throw thrown;
  }
}

async function measureUnit(
  task: MeasureUnit,
  pipeline: UnitPipeline,
  signal: AbortSignal,
): Promise<UnitOutcome> {
  try {
    return { state: 'measured', unit: await pipeline.measure(task) };
  } catch (thrown) {
    // After an abort its queries fail, which says nothing about the unit.
    signal.throwIfAborted();
    if (isNotMeasured(thrown)) return { state: 'unfinished', incomplete: unfinishedUnit(task, thrown) };
    if (isUnitFault(thrown)) return { state: 'unreadable', finding: unitFinding(task, thrown) };
    throw thrown;
  }
}

/** Returns the outcomes to the command that asked; the pipeline keeps the episodes. */
export class ReturnedUnits implements UnitResults {
  readonly #outcomes: UnitOutcome[] = [];

  async begin(): Promise<null> {
    return null;
  }

  async add(_: MeasureUnit, outcome: UnitOutcome): Promise<void> {
    this.#outcomes.push(outcome);
  }

  async finish(): Promise<readonly UnitOutcome[]> {
    return this.#outcomes;
  }

  async discard(): Promise<void> {}
}
