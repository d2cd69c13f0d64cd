import { embeddedEncoding } from '../shared/kept-pictures.ts';
import type { Leaf } from './feature-tree.ts';
import type { FeatureValues } from './records/example.ts';

type Example = ReadonlyMap<string, FeatureValues>;

const flags = ['steps/is_first', 'steps/is_last', 'steps/is_terminal'];
const raggedPart = /\/ragged_(flat_values|row_lengths_\d+)$/;

/** Steps of an episode: as many as it has flags, else as most of its features have room for. */
export function stepCount(example: Example, leaves: readonly Leaf[]): number {
  for (const key of flags) {
    const count = example.get(key)?.count;
    if (count !== undefined) return count;
  }
  const votes = new Map<number, number>();
  for (const { key, per_step, shape } of leaves) {
    const count = example.get(key)?.count;
    const width = shape.reduce<number>((a, b) => a * (b ?? 0), 1);
    const rows = count === undefined || width === 0 ? null : count / width;
    if (per_step && rows !== null && Number.isInteger(rows)) votes.set(rows, (votes.get(rows) ?? 0) + 1);
  }
  return [...votes].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0] ?? 0;
}

/** What an Example itself shows of its features, where no features.json says it; shapes are flat. */
export function leavesOf(example: Example): Leaf[] {
  const steps = flags.map((key) => example.get(key)?.count).find((count) => count !== undefined) ?? null;
  const keys = new Set([...example.keys()].map((key) => key.replace(raggedPart, '')));
  return [...keys].sort().map((key) => {
    const per_step = key.startsWith('steps/');
    const values = example.get(key);
    const id = per_step ? key.slice('steps/'.length) : key;
    const base = { key, id, per_step, dtype: null, encoding: 'none' as const };
    if (values === undefined) return { ...base, kind: 'tensor', shape: [null] };
    if (values.kind === 'bytes') return { ...base, kind: isPicture(values) ? 'image' : 'text', shape: [] };
    const even = per_step && steps !== null && steps > 0 && values.count % steps === 0;
    return { ...base, kind: 'tensor', shape: even && values.count !== steps ? [values.count / steps] : [] };
  });
}

function isPicture(values: FeatureValues): boolean {
  return values.count > 0 && embeddedEncoding(values.bytes(0)) !== 'unknown';
}
