import type { Finding, Stream } from '#episode';
import { sha256 } from '#kernel';
import { episodesThat, groupBy, someOf } from '../compared-signals.ts';
import { type ComparedRow, defineComparison } from '../comparison.ts';

/** One line a stream that training reads: `state observation.state [6] 30 Hz names 1f40fc92` (a digest of the names). */
export type SchemaRow = { readonly schema: string };

type Rows = readonly ComparedRow<SchemaRow>[];

const compared: readonly Stream['role'][] = ['action', 'state', 'camera', 'depth'];
const mostFindings = 8;

export const schemaDrift = defineComparison<SchemaRow>({
  id: 'schema_drift',
  title: 'Schema drift',
  about:
    'Roles, ids, shapes, dimension names and declared rates of action, state and camera streams against those of the most usual episodes that share at least half of their streams. Episodes that differ cannot be batched with the rest.',
  judged_by: [],
  collect({ episode }) {
    const lines: string[] = [];
    for (const stream of episode.streams) if (compared.includes(stream.role)) lines.push(lineOf(stream));
    return lines.length === 0 ? null : { schema: lines.sort().join('\n') };
  },
  conclude(rows) {
    const groups = [...groupBy(rows, (row) => row.schema).values()].sort((a, b) => b.length - a.length);
    const usual: Rows[] = [];
    const findings: Finding[] = [];
    for (const group of groups) {
      const like = usual.find((other) => isAlike(other, group));
      if (like === undefined) usual.push(group);
      else if (findings.length < mostFindings) findings.push(findingOf(like, group));
    }
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

/** Role and id, without what may drift. */
function headsOf(rows: Rows): Set<string> {
  return new Set(rows[0].row.schema.split('\n').map((line) => line.slice(0, line.indexOf(' ['))));
}

/** A folder may hold recordings of several robots; those share few streams and are no drift of each other. */
function isAlike(one: Rows, other: Rows): boolean {
  const [here, there] = [headsOf(one), headsOf(other)];
  const shared = [...here].filter((head) => there.has(head)).length;
  return shared * 2 >= here.size + there.size - shared;
}

function findingOf(usual: Rows, group: Rows): Finding {
  const there = new Set(usual[0].row.schema.split('\n'));
  const here = new Set(group[0].row.schema.split('\n'));
  const lacking = [...there].filter((line) => !here.has(line));
  const more = [...here].filter((line) => !there.has(line));
  const said = [...lacking.map((line) => `not ${short(line)}`), ...more.map((line) => `but ${short(line)}`)];
  const episodes = group.map(({ episode }) => episode);
  return {
    code: 'schema_drift',
    // Another shape under the same name breaks a loader; a stream more or less may be meant.
    severity: more.length > 0 && headsOf(usual).size === headsOf(group).size ? 'error' : 'warning',
    path: null,
    message: `${episodesThat(group.length, 'has', 'have')} other streams than the usual ${usual.length}: ${said.slice(0, 6).join(', ')} (${someOf(episodes)})`,
    advice: 'Convert them to the common schema, or keep them in a dataset of their own.',
    evidence: { episodes: episodes.slice(0, 50) },
  };
}

function short(line: string): string {
  return line.length > 120 ? `${line.slice(0, 117)}...` : line;
}
