import type { Finding } from '#core/episode';
import { replayBreach } from '../rules.ts';

/** Rows of an episode, or why it has none. */
export interface EpisodeRows {
  readonly first: number;
  /** Past the last row. */
  readonly end: number;
  /** Null: it can be read. */
  readonly fault: Finding | null;
  /** It was to end later: rows that are not there. */
  readonly lacking: number;
}

/** The rows of episode `index`: from the end of the one before to its own. */
export function rowsOfEpisode(ends: Float64Array, index: number, rows: number, path: string): EpisodeRows {
  const first = index === 0 ? 0 : ends[index - 1];
  const declared = ends[index];
  const end = Math.min(declared, rows);
  const fine = Number.isSafeInteger(first) && Number.isSafeInteger(declared) && first >= 0;
  if (fine && end > first) return { first, end, fault: null, lacking: declared - end };
  const message =
    fine && declared > first
      ? `episode ${index} is to begin at row ${first}; the arrays end at row ${rows}`
      : `episode ${index} has no rows: it is to begin at row ${first} and end before row ${declared}`;
  const fault: Finding = {
    ...{ code: 'episode_without_rows', severity: 'error', path, message },
    advice: 'take the episode out of episode_ends, or restore its rows',
  };
  return { first, end: first, fault, lacking: 0 };
}

/** What the list of ends itself gets wrong: the library asserts some of it and trips over the rest. */
export function checkEnds(ends: Float64Array, rows: number, path: string): Finding[] {
  const findings: Finding[] = [];
  const wrong: number[] = [];
  for (let i = 0; i < ends.length; i++) if (!(ends[i] > (i === 0 ? 0 : ends[i - 1]))) wrong.push(i);
  if (wrong.length > 0)
    findings.push(
      replayBreach(
        'episode_ends_not_increasing',
        path,
        `episode_ends does not grow at ${wrong.length === 1 ? 'episode' : 'episodes'} ${wrong.slice(0, 8).join(', ')}${wrong.length > 8 ? ' and others' : ''}: such an episode has no rows`,
        { episodes: wrong.slice(0, 50), count: wrong.length },
      ),
    );
  const last = ends.length === 0 ? 0 : ends[ends.length - 1];
  if (last !== rows)
    findings.push(
      replayBreach(
        'episode_ends_mismatch',
        path,
        last > rows
          ? `episode_ends ends at row ${last}, the arrays at row ${rows}: ${last - rows} rows are lost`
          : `episode_ends ends at row ${last}, the arrays at row ${rows}: ${rows - last} rows belong to no episode`,
        { declared: last, found: rows },
      ),
    );
  return findings;
}
