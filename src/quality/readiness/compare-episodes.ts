import type { JsonObject } from '#core';
import type { Finding } from '#core/episode';
import type { ComparisonNotes, Subject } from './check.ts';
import type { ComparisonRow, DeclaredDatasetFacts } from './comparison.ts';
import { comparisons } from './comparison-registry.ts';

/** Rows of one episode by comparison id. Comparisons that return no row for the episode have no entry. */
export type ComparisonRows = Readonly<Record<string, JsonObject>>;

/**
 * Collects the rows of every comparison for one episode, by comparison id; omits comparisons that do not apply to it.
 * Call it while the episode's arrays are in memory.
 */
export function collectRows(subject: Subject): ComparisonRows {
  const rows: Record<string, JsonObject> = {};
  for (const comparison of comparisons) {
    const row = comparison.collect(subject);
    if (row !== null) rows[comparison.id] = row;
  }
  return rows;
}

/** Findings and notes of all comparisons over one dataset. */
export interface ComparisonResults {
  /** Findings about the dataset as a whole. */
  readonly findings: readonly Finding[];
  /** Returns the notes on one episode, by comparison id; an empty object if there are none. */
  getNotes(episode: string): ComparisonNotes;
}

const noNotes: ComparisonNotes = {};

/**
 * Evaluates every comparison over the rows of one dataset and returns its findings and, by episode, the notes. Pass
 * `episodes` in the order of their index, so that "the later copy" is the same episode in every run.
 */
export function concludeComparisons(
  episodes: readonly { readonly episode: string; readonly rows: ComparisonRows }[],
  facts: DeclaredDatasetFacts,
): ComparisonResults {
  const findings: Finding[] = [];
  const notes = new Map<string, Record<string, JsonObject>>();
  for (const comparison of comparisons) {
    const rows: ComparisonRow<JsonObject>[] = [];
    for (const { episode, rows: episodeRows } of episodes) {
      const row = episodeRows[comparison.id];
      if (row !== undefined) rows.push({ episode, row });
    }
    if (rows.length === 0) continue;
    const conclusion = comparison.conclude(rows, facts);
    findings.push(...conclusion.findings);
    for (const [episode, note] of conclusion.notes) {
      const episodeNotes = notes.get(episode);
      if (episodeNotes === undefined) notes.set(episode, { [comparison.id]: note });
      else episodeNotes[comparison.id] = note;
    }
  }
  return { findings, getNotes: (episode) => notes.get(episode) ?? noNotes };
}
