import type { Finding } from '#episode';
import type { JsonObject } from '#kernel';
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

/** Rows of a dataset's episodes while they come in; strings that repeat are held once. */
export interface ComparisonTable {
  /** In any order; `index` is the episode's in its dataset. */
  add(episode: string, index: number, rows: ComparisonRows): void;
  /** Concludes every comparison, over the episodes in the order of their index. */
  conclude(facts: ComparedFacts): Comparing;
}

interface Entry {
  readonly episode: string;
  readonly index: number;
  readonly rows: ComparisonRows;
}

export function createComparisonTable(): ComparisonTable {
  const entries: Entry[] = [];
  const strings = new Map<string, string>();
  const intern = (text: string): string => {
    const known = strings.get(text);
    if (known === undefined) strings.set(text, text);
    return known ?? text;
  };
  return {
    add(episode, index, rows) {
      const kept: Record<string, JsonObject> = {};
      for (const [id, row] of Object.entries(rows)) kept[id] = withShared(row, intern);
      entries.push({ episode, index, rows: kept });
    },
    conclude(facts) {
      entries.sort((a, b) => a.index - b.index);
      return concludeComparisons(entries, facts);
    },
  };
}

function withShared(row: JsonObject, intern: (text: string) => string): JsonObject {
  const shared: Record<string, JsonObject[string]> = {};
  for (const [key, value] of Object.entries(row))
    shared[key] = typeof value === 'string' ? intern(value) : value;
  return shared;
}

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
