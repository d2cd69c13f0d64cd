import type { Finding } from '#episode';
import type { DatasetFacts } from '#formats';
import { type ComparedNotes, type ComparisonRows, createComparisonTable } from '#readiness';
import type { MeasuredUnit } from './messages.ts';

/** Notes by episode id; only episodes that have any. */
export type UnitNotes = Readonly<Record<string, ComparedNotes>>;

export interface Compared {
  readonly findings: readonly Finding[];
  /** By the unit's place. */
  readonly notes: ReadonlyMap<number, UnitNotes>;
}

/** Compares the episodes of one dataset; their order of measuring does not matter. */
export function compareUnits(units: readonly MeasuredUnit[], facts: DatasetFacts): Compared {
  const table = createComparisonTable();
  const episodes = units.map(({ rows }) => {
    const ids: string[] = [];
    for (const line of linesOf(rows)) {
      const [episode, index, own]: [string, number, ComparisonRows] = JSON.parse(line);
      table.add(episode, index, own);
      ids.push(episode);
    }
    return ids;
  });
  const { findings, notesOf } = table.conclude(facts);
  const notes = new Map<number, UnitNotes>();
  units.forEach(({ place }, i) => {
    const own: Record<string, ComparedNotes> = {};
    for (const episode of episodes[i]) {
      const note = notesOf(episode);
      if (Object.keys(note).length > 0) own[episode] = note;
    }
    notes.set(place, own);
  });
  return { findings, notes };
}

function linesOf(bytes: Uint8Array): string[] {
  if (bytes.length === 0) return [];
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString().split('\n');
}
