import type { Finding } from '#episode';
import type { DatasetFacts } from '#formats';
import { type ComparedNotes, type ComparisonRows, concludeComparisons } from '#readiness';
import type { MeasuredUnit } from './messages.ts';

export interface Compared {
  readonly findings: readonly Finding[];
  /** By the unit's place: notes by episode id, only episodes that have any. */
  readonly notes: ReadonlyMap<number, Readonly<Record<string, ComparedNotes>>>;
}

/** Compares the episodes of one dataset, in the order of their index whatever order they were measured in. */
export function compareUnits(units: readonly MeasuredUnit[], facts: DatasetFacts): Compared {
  const episodes: { episode: string; index: number; place: number; rows: ComparisonRows }[] = [];
  for (const { place, rows } of units) {
    if (rows.length === 0) continue;
    for (const line of Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength).toString().split('\n')) {
      const [episode, index, own]: [string, number, ComparisonRows] = JSON.parse(line);
      episodes.push({ episode, index, place, rows: own });
    }
  }
  episodes.sort((a, b) => a.index - b.index);
  const { findings, notesOf } = concludeComparisons(episodes, facts);
  const notes = new Map<number, Record<string, ComparedNotes>>();
  for (const { episode, place } of episodes) {
    const own = notesOf(episode);
    if (Object.keys(own).length === 0) continue;
    let ofUnit = notes.get(place);
    if (ofUnit === undefined) {
      ofUnit = {};
      notes.set(place, ofUnit);
    }
    ofUnit[episode] = own;
  }
  return { findings, notes };
}
