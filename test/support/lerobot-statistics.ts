import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchRows, parquetColumns, parquetSource, sqlName } from '#formats';

type Entry = Record<string, unknown>;

/** Stored statistics of a feature: by episode, and for the dataset if it has that file. */
export interface FeatureStatistics {
  readonly episodes: ReadonlyMap<number, Entry>;
  readonly all: Entry | null;
}

export async function readStatistics(root: string, feature: string): Promise<FeatureStatistics> {
  const set = join(root, 'meta/stats.json');
  const all = existsSync(set) ? JSON.parse(readFileSync(set, 'utf8'))[feature] : null;
  const lines = join(root, 'meta/episodes_stats.jsonl');
  return { episodes: existsSync(lines) ? ofLines(lines, feature) : await ofTable(root, feature), all };
}

function ofLines(path: string, feature: string): Map<number, Entry> {
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return new Map(
    lines.map((line) => {
      const { episode_index, stats } = JSON.parse(line) as {
        episode_index: number;
        stats: Record<string, Entry>;
      };
      return [episode_index, stats[feature]];
    }),
  );
}

async function ofTable(root: string, feature: string): Promise<Map<number, Entry>> {
  const folder = join(root, 'meta/episodes');
  const files = (readdirSync(folder, { recursive: true }) as string[])
    .filter((name) => name.endsWith('.parquet'))
    .map((name) => join(folder, name));
  const columns = await parquetColumns(files[0], files[0]);
  const start = `stats/${feature}/`;
  const names = columns.flatMap(({ name }) => (name.startsWith(start) ? [name.slice(start.length)] : []));
  const list = names.map((name) => `to_json(${sqlName(start + name)})::VARCHAR AS ${sqlName(name)}`);
  const found = await fetchRows(
    `SELECT episode_index::INTEGER AS e, ${list.join(', ')} FROM ${parquetSource(files, 'union_by_name = true')}`,
  );
  return new Map(
    found.map((row) => [
      Number(row.e),
      Object.fromEntries(names.map((name) => [name, JSON.parse(String(row[name]))])),
    ]),
  );
}
