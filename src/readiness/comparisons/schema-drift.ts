import type { Stream } from '#episode';
import { sha256 } from '#kernel';
import { groupBy, someOf } from '../compared-signals.ts';
import { type ComparedRow, defineComparison } from '../comparison.ts';

/** One line a stream that training reads: `state observation.state [6] 30 Hz names 1f40fc92` (a digest of the names). */
export type SchemaRow = { readonly schema: string };

const compared: readonly Stream['role'][] = ['action', 'state', 'camera', 'depth'];

export const schemaDrift = defineComparison<SchemaRow>({
  id: 'schema_drift',
  title: 'Schema drift',
  about:
    'Roles, ids, shapes, dimension names and declared rates of action, state and camera streams against those of most episodes. Episodes that differ cannot be batched with the rest.',
  judged_by: [],
  collect({ episode }) {
    const lines: string[] = [];
    for (const stream of episode.streams) if (compared.includes(stream.role)) lines.push(lineOf(stream));
    return lines.length === 0 ? null : { schema: lines.sort().join('\n') };
  },
  conclude(rows) {
    const groups = [...groupBy(rows, (row) => row.schema).values()].sort((a, b) => b.length - a.length);
    if (groups.length === 1) return { findings: [], notes: new Map() };
    const usual = groups[0];
    const findings = groups.slice(1, 9).map((group) => ({
      code: 'schema_drift',
      severity: 'error' as const,
      path: null,
      message: `${group.length} of ${rows.length} episodes have other streams than most: ${differences(usual[0], group[0])} (${someOf(namesOf(group))})`,
      advice: 'Convert them to the common schema, or keep them in a dataset of their own.',
      evidence: { episodes: namesOf(group).slice(0, 50) },
    }));
    return { findings, notes: new Map() };
  },
});

function lineOf({ role, id, shape, names, declared_rate_hz }: Stream): string {
  const rate = declared_rate_hz === null ? '' : ` ${declared_rate_hz} Hz`;
  return `${role} ${id} [${shape.join('x')}]${rate}${names === null ? '' : ` names ${digestOf(names)}`}`;
}

/** Readers share one array of names among the episodes of a dataset. */
const digests = new WeakMap<readonly string[], string>();

function digestOf(names: readonly string[]): string {
  let digest = digests.get(names);
  if (digest === undefined) {
    digest = sha256(names.join('|')).slice(0, 8);
    digests.set(names, digest);
  }
  return digest;
}

function namesOf(group: readonly ComparedRow<SchemaRow>[]): string[] {
  return group.map(({ episode }) => episode);
}

function differences(usual: ComparedRow<SchemaRow>, other: ComparedRow<SchemaRow>): string {
  const there = new Set(usual.row.schema.split('\n'));
  const here = new Set(other.row.schema.split('\n'));
  const lacking = [...there].filter((line) => !here.has(line)).map(short);
  const more = [...here].filter((line) => !there.has(line)).map(short);
  return [
    ...lacking.slice(0, 4).map((line) => `not ${line}`),
    ...more.slice(0, 4).map((line) => `but ${line}`),
  ].join(', ');
}

function short(line: string): string {
  return line.length > 120 ? `${line.slice(0, 117)}...` : line;
}
