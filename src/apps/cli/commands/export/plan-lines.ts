import type { ExportPlan, SourceEpisode } from '#engine/local/export';
import { count } from '../../words.ts';
import { editInWords } from './edit-words.ts';

const episodesShown = 20;

/** A plan with the names of the sets. */
export type NamedPlan = ReturnType<typeof namedPlan>;

export function namedPlan({ episodes, ...plan }: ExportPlan, all: readonly SourceEpisode[]) {
  const names = [...new Set(all.map(({ source }) => source))];
  return {
    ...plan,
    episodes: episodes.map(({ source, ...episode }) => ({ source: names[source], ...episode })),
  };
}

/** What a dry run says that the edits would do. */
export function planLines(plan: NamedPlan, isMerged: boolean): string[] {
  const { edits, episodes, cameras, rows, rate_hz, without, splits } = plan;
  const lines = edits.map((edit) => `  ${editInWords(edit)}`);
  lines.push(`  ${count(episodes.length, 'episode')} of ${count(rows, 'row')} at ${rate_hz} Hz`);
  for (const one of episodes.slice(0, episodesShown)) {
    const name = `${isMerged ? `${one.source}:` : ''}${one.id}`;
    lines.push(
      `    ${one.index}: ${name}, rows ${one.from} to ${one.until - 1} as ${count(one.rows, 'row')}, ${one.duration_s.toFixed(1)} s`,
    );
  }
  if (episodes.length > episodesShown)
    lines.push(`    and ${episodes.length - episodesShown} more; --json lists all`);
  for (const { feature, copied, encoded, codec } of cameras) {
    const parts = [copied > 0 ? `copied in ${count(copied, 'episode')}` : null];
    parts.push(encoded > 0 ? `encoded as ${codec} in ${count(encoded, 'episode')}` : null);
    lines.push(`  ${feature}: ${parts.filter((part) => part !== null).join(', ')}`);
  }
  if (without.length > 0) lines.push(`  left out: ${without.join(', ')}`);
  if (Object.keys(splits).length === 0) return lines;
  lines.push(
    `  splits: ${Object.entries(splits)
      .map(([name, range]) => `${name} ${range}`)
      .join(', ')}`,
  );
  return lines;
}
