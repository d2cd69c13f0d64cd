import { sha256 } from '#core';
import type { Finding, Stream } from '#core/episode';
import { episodesThat, groupBy, someOf } from '../comparing/compared-signals.ts';
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
    for (const stream of episode.streams) {
      // Where nothing happened, nothing was sent.
      if (stream.event_driven === undefined && compared.includes(stream.role)) lines.push(lineOf(stream));
    }
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
  const [there, here] = [usual, group].map((rows) => byHead(rows[0].row.schema));
  const more = [...here].filter(([head, rest]) => there.get(head) !== rest);
  const said = [
    ...[...there.keys()].filter((head) => !here.has(head)).map((head) => `no ${head}`),
    ...more.map(([head, rest]) => difference(head, rest, there.get(head))),
  ];
  const episodes = group.map(({ episode }) => episode);
  const others = usual.length === 1 ? usual[0].episode : `the usual ${usual.length}`;
  return {
    code: 'schema_drift',
    // Another shape under the same name breaks a loader; a stream more or less may be meant.
    severity: more.length > 0 && headsOf(usual).size === headsOf(group).size ? 'error' : 'warning',
    path: null,
    message: `${episodesThat(group.length, 'has', 'have')} other streams than ${others}: ${said.slice(0, 6).join(', ')}${said.length > 6 ? ', …' : ''} (${someOf(episodes)})`,
    advice: 'Convert them to the common schema, or keep them in a dataset of their own.',
    evidence: { episodes: episodes.slice(0, 50) },
  };
}

/** Shape, rate and names of each stream, by role and id. */
function byHead(schema: string): ReadonlyMap<string, string> {
  return new Map(
    schema.split('\n').map((line) => {
      const end = line.indexOf(' [');
      return [line.slice(0, end), line.slice(end + 1)];
    }),
  );
}

/** `usual`: what the stream of the same role and id is like elsewhere. */
function difference(head: string, rest: string, usual: string | undefined): string {
  const [own, other] = [rest, usual ?? ''].map((text) => text.split(' names ')[0]);
  if (usual === undefined) return `${short(head)} ${own} as well`;
  return own === other ? `${short(head)} with other names` : `${short(head)} ${own} and not ${other}`;
}

function short(head: string): string {
  return head.length > 120 ? `${head.slice(0, 117)}...` : head;
}
