import { type FieldType, type StructType, typeAt } from '@assay/ros-messages';
import { nearestText } from '#core';
import type { Finding, StreamRole, UnitOfMeasure } from '#core/episode';
import { isSignalList } from './sinks/generic-groups.ts';
import type { GroupSpec, NumericSpec } from './topic-mapping.ts';

/** A stream that a mapping file takes from the fields of a topic. */
interface MappedTopicStream {
  readonly id: string;
  readonly topic: string;
  /** Fields of the message: `points[0].positions`, with `[0]` the first element of a list, `[-1]` the last, `[*]` all. */
  readonly fields: readonly string[];
  readonly role: StreamRole;
  readonly names: readonly string[] | null;
  readonly unit: UnitOfMeasure;
  /** True if recordings may lack the topic. */
  readonly optional: boolean;
}

/** A numeric field of a message, as a mapping writes it. */
export interface TopicField {
  /** `points[0].positions`; `[0]` is the first element of a list. */
  readonly path: string;
  /** `payload` for long lists of bytes, such as pixels. */
  readonly kind: 'number' | 'list' | 'payload';
}

/** Streams that a mapping file takes from topics. */
export interface TopicMapping {
  /** Mapping file, for messages. */
  readonly path: string;
  readonly streams: readonly MappedTopicStream[];
  /** Receives the numeric fields of each topic that can be decoded. */
  observe?(topic: string, type: string, fields: readonly TopicField[]): void;
}

/**
 * Returns the streams that a mapping takes from a topic instead of those of its message type; `null` if it names none
 * of its fields. Absent fields, and indexes that cannot be read, become findings; `mapping.observe` receives the
 * numeric fields of the topic.
 */
export function mapByFile(
  mapping: TopicMapping,
  topic: string,
  root: StructType,
): { readonly spec: NumericSpec | null; readonly findings: readonly Finding[] } | null {
  const { path, streams } = mapping;
  mapping.observe?.(topic, root.name, numericFields(root));
  const own = streams.filter((stream) => stream.topic === topic);
  if (own.length === 0) return null;
  const findings: Finding[] = [];
  const groups: GroupSpec[] = [];
  const taken = new Set<string>();
  for (const stream of own) {
    const { id, role, unit, fields } = stream;
    const absent = fields.find((field) => !isNumeric(root, toPath(field)));
    const unsuitable = absent === undefined ? unsuitableFinding(path, stream, taken) : null;
    if (absent !== undefined) findings.push(fieldFinding(path, stream, absent, root));
    else if (unsuitable !== null) findings.push(unsuitable);
    else {
      const { paths, names } = inMessageOrder(stream, root);
      for (const taking of paths) taken.add(taking);
      const [index] = indexesOf(fields[0]);
      const only =
        index === '0' ? ({ only: 'first' } as const) : index === '-1' ? ({ only: 'last' } as const) : {};
      groups.push({ suffix: '', id, paths, names, role, unit, ...only });
    }
  }
  const names = groups.map(({ paths }) => namesBeside(root, paths[0])).find((list) => list !== null) ?? null;
  return { spec: groups.length === 0 ? null : { kind: 'numeric', groups, names }, findings };
}

/** Returns an error for each stream of a mapping, unless it is optional, whose topic a recording does not have. */
export function absentTopics(
  { path, streams }: TopicMapping,
  present: readonly string[],
  recording: string,
): Finding[] {
  return streams.flatMap(({ topic, id, optional }) => {
    if (optional || present.includes(topic)) return [];
    const nearest = nearestText(topic, present);
    return [
      {
        code: 'topic_missing',
        severity: 'error' as const,
        path: recording,
        message: `${recording} has no topic ${topic}, which ${path} uses for ${id}`,
        advice: `correct the mapping${nearest === null ? '' : `; the nearest topic is ${nearest}`}, or declare the stream optional: true`,
        evidence: { topic, ...(nearest === null ? {} : { nearest }) },
      },
    ];
  });
}

/** Returns the path of a field in a message definition, in which lists have no index. */
const toPath = (field: string): string => field.replace(/\[(\*|-1|0)?\]/g, '[]').replace(/\[\]$/, '');

/** Returns the indexes of lists in a field: `0`, `-1` or `*`. */
const indexesOf = (field: string): string[] =>
  [...field.matchAll(/\[(\*|-1|0)?\]/g)].map(([, index = '*']) => index);

/** Returns the part of a field up to the last list that it runs through. */
const listOf = (field: string): string => field.slice(0, field.lastIndexOf('].') + 1);

/**
 * Returns a finding if a stream takes a field that another one takes, single numbers of a list of numbers, or different
 * elements of lists; `null` if its fields can be read.
 */
function unsuitableFinding(
  mapping: string,
  { topic, id, fields }: MappedTopicStream,
  taken: ReadonlySet<string>,
): Finding | null {
  const finding = (field: string, what: string, advice: string): Finding => ({
    code: 'column_unsuitable',
    severity: 'error',
    path: null,
    message: `${topic}: ${mapping} uses ${field} for ${id}, ${what}`,
    advice,
    evidence: { column: field },
  });
  const paths = fields.map(toPath);
  for (const [at, field] of fields.entries()) {
    if (/\[(0|-1)\]$/.test(field))
      return finding(
        field,
        'but single numbers of a list of numbers are not read',
        `map the whole list as ${field.replace(/\[[^[]*$/, '')}`,
      );
    if (taken.has(paths[at]) || paths.indexOf(paths[at]) < at)
      return finding(
        field,
        'but another column takes the same field of the message',
        'use each field of a topic only once, with one index',
      );
    const indexes = new Set([...indexesOf(field), ...indexesOf(fields[0])]);
    const isSingle = indexes.has('0') || indexes.has('-1');
    if (isSingle && (indexes.size > 1 || listOf(field) !== listOf(fields[0])))
      return finding(
        field,
        'with another element than the rest of its lists and columns',
        'use one index, [0], [-1] or [*], for all lists of a stream, and columns of one list',
      );
  }
  return null;
}

/** Returns the paths of a stream's fields in the order in which a message holds them, with their names. */
function inMessageOrder(
  { fields, names: declared }: MappedTopicStream,
  root: StructType,
): { readonly paths: readonly string[]; readonly names: readonly string[] | null } {
  const order = fields
    .map((field, at) => ({ at, positions: positionsOf(root, toPath(field)) }))
    .sort((a, b) => comparePositions(a.positions, b.positions))
    .map(({ at }) => at);
  const names = declared ?? (fields.length > 1 ? fields : null);
  return {
    paths: order.map((at) => toPath(fields[at])),
    names: names !== null && names.length === fields.length ? order.map((at) => names[at]) : names,
  };
}

/** Returns the number of each part of a path among the fields of its message. */
function positionsOf(root: StructType, path: string): number[] {
  let type: FieldType = root;
  return path.split('.').map((part) => {
    const name = part.replace('[]', '');
    const at: number = type.kind === 'struct' ? type.fields.findIndex((field) => field.name === name) : -1;
    if (type.kind === 'struct' && at >= 0) type = type.fields[at].type;
    if (type.kind === 'array') type = type.of;
    return at;
  });
}

function comparePositions(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((position, depth) => position !== b[depth]);
  return at < 0 ? 0 : a[at] - (b[at] ?? 0);
}

function isNumeric(root: StructType, path: string): boolean {
  const type = typeAt(root, path);
  return type?.kind === 'number' || (type?.kind === 'array' && type.of.kind === 'number');
}

/** Returns the list of joint names in the message that holds a list of points; `null` if there is none. */
function namesBeside(root: StructType, path: string): string | null {
  const list = path.indexOf('[]');
  const owner = (list < 0 ? path : path.slice(0, list)).split('.').slice(0, -1);
  for (const name of ['joint_names', 'name', 'names']) {
    const candidate = [...owner, name].join('.');
    const type = typeAt(root, candidate);
    if (type?.kind === 'array' && type.of.kind === 'string') return candidate;
  }
  return null;
}

function fieldFinding(
  mapping: string,
  { topic, id }: MappedTopicStream,
  field: string,
  root: StructType,
): Finding {
  const all = numericFields(root).map(({ path }) => path);
  const nearest = nearestText(field, all);
  const listed = all.slice(0, 8).join(', ');
  const hint = nearest === null ? '' : `the nearest field is ${nearest}; `;
  return {
    code: 'column_missing',
    severity: 'error',
    path: null,
    message: `${topic} (${root.name}) has no numeric field ${field}, which ${mapping} uses for ${id}`,
    advice: `correct the mapping; ${hint}the fields are ${listed}${all.length > 8 ? ', …' : ''}`,
    evidence: { column: field, ...(nearest === null ? {} : { nearest }) },
  };
}

const maxFields = 500;
const maxDepth = 6;

/** Returns the numeric fields of a message, with the first element of each list of structs. */
function numericFields(root: StructType): TopicField[] {
  const found: TopicField[] = [];
  const visit = (type: FieldType, path: string, depth: number): void => {
    if (found.length >= maxFields || depth > maxDepth) return;
    if (type.kind === 'number') found.push({ path, kind: 'number' });
    else if (type.kind === 'array' && type.of.kind === 'number')
      found.push({ path, kind: isSignalList(type) ? 'list' : 'payload' });
    else if (type.kind === 'array') visit(type.of, `${path}[0]`, depth + 1);
    else if (type.kind === 'struct')
      for (const field of type.fields)
        visit(field.type, path === '' ? field.name : `${path}.${field.name}`, depth + 1);
  };
  visit(root, '', 0);
  return found;
}
