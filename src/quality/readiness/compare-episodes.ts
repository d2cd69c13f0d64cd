import type { JsonObject } from '#core';
import type { Finding } from '#core/episode';
import type { ComparedNotes, Subject } from './check.ts';
import type { ComparedFacts, ComparedRow } from './comparison.ts';
import { comparisons } from './comparison-registry.ts';

/** Rows of one episode by comparison id; a comparison that has nothing to say of it is left out. */
export type ComparisonRows = Readonly<Record<string, JsonObject>>;

/** Takes one episode's rows while its arrays are at hand. */
export function collectRows(subject: Subject): ComparisonRows {
  const rows: Record<string, JsonObject> = {};
  for (const comparison of comparisons) {
    const row = comparison.collect(subject);
    if (row !== null) rows[comparison.id] = row;
  }
  return rows;
}

export interface Comparing {
  /** What is said of the dataset as a whole. */
  readonly findings: readonly Finding[];
  /** What is said of one episode, by comparison id. */
  notesOf(episode: string): ComparedNotes;
}

const noNotes: ComparedNotes = {};

/**
 * Concludes every comparison over one dataset. `episodes` in the order of their index, so that 'the later copy' means
 * the same in every run.
 */
export function concludeComparisons(
  episodes: readonly { readonly episode: string; readonly rows: ComparisonRows }[],
  facts: ComparedFacts,
): Comparing {
  const findings: Finding[] = [];
  const notes = new Map<string, Record<string, JsonObject>>();
  for (const comparison of comparisons) {
    const rows: ComparedRow<JsonObject>[] = [];
    for (const { episode, rows: own } of episodes) {
      const row = own[comparison.id];
      if (row !== undefined) rows.push({ episode, row });
    }
    if (rows.length === 0) continue;
    const conclusion = comparison.conclude(rows, facts);
    findings.push(...conclusion.findings);
    for (const [episode, note] of conclusion.notes) {
      const own = notes.get(episode);
      if (own === undefined) notes.set(episode, { [comparison.id]: note });
      else own[comparison.id] = note;
    }
  }
  return { findings, notesOf: (episode) => notes.get(episode) ?? noNotes };
}
