import { sha256 } from '#core';
import type { Finding, Stream } from '#core/episode';
import { comparisonTitles } from '#core/titles';
import { type ComparisonRow, defineComparison } from '../comparison.ts';
import { formatEpisodeCount, formatEpisodeList, groupBy } from './shared/comparison-rows.ts';

/**
 * One line per stream that training reads, as in `state observation.state [6] 30 Hz names 1f40fc92` (with a
 * digest of the names).
 */
export type SchemaRow = { readonly schema: string };

type Rows = readonly ComparisonRow<SchemaRow>[];

const comparedRoles: readonly Stream['role'][] = ['action', 'state', 'camera', 'depth'];
const maxFindings = 8;

export const schemaDrift = defineComparison<SchemaRow>({
  id: 'schema_drift',
  title: comparisonTitles.schema_drift,
  about:
    'Compares roles, ids, shapes, dimension names and declared rates of action, state and camera streams with the most common schema that shares at least half of the streams. Episodes that differ cannot be batched with the rest.',
  judged_by: [],
  collect({ episode }) {
    const lines: string[] = [];
    for (const stream of episode.streams) {
      // Event-driven streams are absent from episodes without such an event.
      if (stream.event_driven === undefined && comparedRoles.includes(stream.role))
        lines.push(formatStream(stream));
    }
    return lines.length === 0 ? null : { schema: lines.sort().join('\n') };
  },
  conclude(rows) {
    const groups = [...groupBy(rows, (row) => row.schema).values()].sort((a, b) => b.length - a.length);
    const usual: Rows[] = [];
    const findings: Finding[] = [];
    for (const group of groups) {
      const match = usual.find((other) => isAlike(other, group));
      if (match === undefined) usual.push(group);
      else if (findings.length < maxFindings) findings.push(createFinding(match, group));
    }
    return { findings, notes: new Map() };
  },
});

function formatStream({ role, id, shape, names, declared_rate_hz }: Stream): string {
  const rate = declared_rate_hz === null ? '' : ` ${declared_rate_hz} Hz`;
  return `${role} ${id} [${shape.join('x')}]${rate}${names === null ? '' : ` names ${digestNames(names)}`}`;
}

/** Digests by name list; readers share one list among the episodes of a dataset. */
const digests = new WeakMap<readonly string[], string>();

function digestNames(names: readonly string[]): string {
  let digest = digests.get(names);
  if (digest === undefined) {
    digest = sha256(names.join('|')).slice(0, 8);
    digests.set(names, digest);
  }
  return digest;
}

/** Returns the role and id of each stream, without the properties that may differ. */
function listStreamKeys(rows: Rows): Set<string> {
  return new Set(rows[0].row.schema.split('\n').map((line) => line.slice(0, line.indexOf(' ['))));
}

/**
 * Returns `true` if two groups share at least half of their streams. A folder may contain recordings of
 * several robots, which share few streams and are not compared.
 */
function isAlike(one: Rows, other: Rows): boolean {
  const [keysOfOne, keysOfOther] = [listStreamKeys(one), listStreamKeys(other)];
  const shared = [...keysOfOne].filter((head) => keysOfOther.has(head)).length;
  return shared * 2 >= keysOfOne.size + keysOfOther.size - shared;
}

function createFinding(usual: Rows, group: Rows): Finding {
  const [usualDetailsByKey, detailsByKey] = [usual, group].map((rows) => mapDetailsByKey(rows[0].row.schema));
  const more = [...detailsByKey].filter(([head, rest]) => usualDetailsByKey.get(head) !== rest);
  const differences = [
    ...[...usualDetailsByKey.keys()].filter((head) => !detailsByKey.has(head)).map((head) => `no ${head}`),
    ...more.map(([head, rest]) => describeDifference(head, rest, usualDetailsByKey.get(head))),
  ];
  const episodes = group.map(({ episode }) => episode);
  const others = usual.length === 1 ? usual[0].episode : `the ${usual.length} most common`;
  return {
    code: 'schema_drift',
    // A different shape under the same name breaks a loader; an additional or missing stream may be intended.
    severity:
      more.length > 0 && listStreamKeys(usual).size === listStreamKeys(group).size ? 'error' : 'warning',
    path: null,
    message: `${formatEpisodeCount(group.length, 'has', 'have')} a different schema than ${others}: ${differences.slice(0, 6).join(', ')}${differences.length > 6 ? ', …' : ''} (${formatEpisodeList(episodes)})`,
    advice: 'Convert them to the common schema, or move them to a separate dataset.',
    evidence: { episodes: episodes.slice(0, 50) },
  };
}

/** Returns shape, rate and names of each stream, by role and id. */
function mapDetailsByKey(schema: string): ReadonlyMap<string, string> {
  return new Map(
    schema.split('\n').map((line) => {
      const end = line.indexOf(' [');
      return [line.slice(0, end), line.slice(end + 1)];
    }),
  );
}

/**
 * Describes how a stream differs from `usual`, the details of the stream with the same role and id elsewhere;
 * `undefined` if there is none.
 */
function describeDifference(head: string, rest: string, usual: string | undefined): string {
  const [ownDetails, usualDetails] = [rest, usual ?? ''].map((text) => text.split(' names ')[0]);
  if (usual === undefined) return `extra ${truncateKey(head)} ${ownDetails}`;
  return ownDetails === usualDetails
    ? `${truncateKey(head)} with different dimension names`
    : `${truncateKey(head)} ${ownDetails} instead of ${usualDetails}`;
}

function truncateKey(head: string): string {
  return head.length > 120 ? `${head.slice(0, 117)}...` : head;
}
