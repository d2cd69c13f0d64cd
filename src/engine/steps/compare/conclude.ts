import { AssayError, type JsonObject } from '#core';
import type { Finding } from '#core/episode';
import { type ComparedFacts, type ComparedRow, comparisons } from '#quality/readiness';
import { readBytes, type SpoolRegion } from '../../spool/spool.ts';
import { unpackRows } from '../measure/row-pack.ts';

/** One comparison over one dataset, for any worker. */
export interface CompareTask {
  readonly comparison: string;
  readonly facts: ComparedFacts;
  readonly units: readonly ComparedUnit[];
}

/** What a comparison collected of a unit: a row of each episode, packed. */
interface ComparedUnit {
  /** Ids as JSON: one text crosses threads for a fraction of what thousands cost. */
  readonly episodes: string;
  readonly indices: Float64Array;
  readonly packed: SpoolRegion;
}

export interface ComparisonResult {
  readonly findings: readonly Finding[];
  /** By episode id. */
  readonly notes: readonly (readonly [episode: string, note: JsonObject])[];
}

/** Concludes one comparison over the episodes of a dataset, in the order of their index. */
export function conclude({ comparison, facts, units }: CompareTask): ComparisonResult {
  const row = comparisons.get(comparison);
  if (row === undefined) throw new AssayError('internal', `there is no comparison ${comparison}`);
  const { findings, notes } = row.conclude(rowsOf(units), facts);
  return { findings, notes: [...notes] };
}

function rowsOf(units: readonly ComparedUnit[]): ComparedRow<JsonObject>[] {
  const rows: { readonly index: number; readonly episode: string; readonly row: JsonObject }[] = [];
  for (const { episodes, indices, packed } of units) {
    const ids: readonly string[] = JSON.parse(episodes);
    unpackRows(readBytes(packed)).forEach((row, at) => {
      if (row !== null) rows.push({ index: indices[at], episode: ids[at], row });
    });
  }
  return rows.sort((a, b) => a.index - b.index);
}
