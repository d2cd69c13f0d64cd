import {
  type Changes,
  type Direction,
  isObject,
  type Json,
  listAt,
  objectAt,
  resolved,
  same,
} from './change.ts';
import { boundChanges } from './compare-bounds.ts';

/** Two contracts, and what was found between them so far. */
export interface Comparison {
  readonly before: Json;
  readonly after: Json;
  readonly changes: Changes;
  /** Pairs of named schemas that were compared, by direction. */
  readonly seen: Set<string>;
}

/**
 * Compares two schemas. A request must accept what it accepted; an answer gives nothing that it could not give before, but
 * for further properties. Which properties are required and which values an enumeration has never changes silently.
 */
export function compareSchemas(
  comparison: Comparison,
  direction: Direction,
  place: string,
  before: Json,
  after: Json,
): void {
  const [a, b] = [before.$ref, after.$ref];
  if (typeof a === 'string' && typeof b === 'string') {
    const pair = `${direction} ${a} ${b}`;
    if (comparison.seen.has(pair)) return;
    comparison.seen.add(pair);
    compareResolved(comparison, direction, `${direction} ${b.slice(b.lastIndexOf('/') + 1)}`, before, after);
  } else compareResolved(comparison, direction, place, before, after);
}

function compareResolved(
  comparison: Comparison,
  direction: Direction,
  place: string,
  before: Json,
  after: Json,
): void {
  const [old, now] = [resolved(comparison.before, before), resolved(comparison.after, after)];
  if (unionOf(old) !== null || unionOf(now) !== null) {
    compareUnions(comparison, direction, place, unionOf(old) ?? [before], unionOf(now) ?? [after]);
    return;
  }
  for (const { what, breaking } of boundChanges(direction, old, now))
    comparison.changes.add(place, what, breaking);
  compareProperties(comparison, direction, place, old, now);
  for (const [key, suffix] of [
    ['items', '[]'],
    ['additionalProperties', '{}'],
    ['propertyNames', '{name}'],
    ['contentSchema', '{content}'],
  ])
    if (isObject(old[key]) && isObject(now[key]))
      compareSchemas(comparison, direction, place + suffix, old[key], now[key]);
    else if (!same(old[key], now[key]))
      comparison.changes.add(
        place,
        `${key} changed`,
        key !== 'additionalProperties' || !opens(direction, old[key]),
      );
}

/** Returns `true` if a changed `additionalProperties` breaks no client: properties were refused before, or the schema is an answer. */
const opens = (direction: Direction, before: unknown): boolean => direction === 'answer' || before === false;

function compareProperties(
  comparison: Comparison,
  direction: Direction,
  place: string,
  old: Json,
  now: Json,
): void {
  const [were, are] = [objectAt(old, 'properties'), objectAt(now, 'properties')];
  const [demanded, demands] = [listAt(old, 'required'), listAt(now, 'required')];
  for (const name of Object.keys({ ...were, ...are })) {
    const at = `${place}.${name}`;
    const [then, since] = [were[name], are[name]];
    if (!isObject(then))
      comparison.changes.add(at, 'added', direction === 'request' && demands.includes(name));
    else if (!isObject(since)) comparison.changes.add(at, 'removed', true);
    else {
      if (demanded.includes(name) !== demands.includes(name))
        comparison.changes.add(at, demands.includes(name) ? 'is required now' : 'is optional now', true);
      compareSchemas(comparison, direction, at, then, since);
    }
  }
}

function compareUnions(
  comparison: Comparison,
  direction: Direction,
  place: string,
  old: readonly Json[],
  now: readonly Json[],
): void {
  const were = new Map(old.map((member, at) => [memberName(comparison.before, member, at), member]));
  const are = new Map(now.map((member, at) => [memberName(comparison.after, member, at), member]));
  for (const [name, member] of were) {
    const since = are.get(name);
    if (since === undefined)
      comparison.changes.add(place, `alternative ${name} removed`, direction === 'request');
    else compareSchemas(comparison, direction, `${place}<${name}>`, member, since);
  }
  for (const name of are.keys())
    if (!were.has(name)) comparison.changes.add(place, `alternative ${name} added`, direction === 'answer');
}

/** Alternatives are told apart by what they are for: a named schema, a constant in them, a type; else by their place. */
function memberName(root: Json, member: Json, at: number): string {
  if (typeof member.$ref === 'string') return member.$ref.slice(member.$ref.lastIndexOf('/') + 1);
  const schema = resolved(root, member);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const constant = Object.entries(objectAt(schema, 'properties')).find(
    ([, property]) => isObject(property) && property.const !== undefined,
  );
  if (constant !== undefined) return `${constant[0]}=${JSON.stringify((constant[1] as Json).const)}`;
  return typeof schema.type === 'string' ? schema.type : String(at);
}

function unionOf(schema: Json): readonly Json[] | null {
  const members = schema.anyOf ?? schema.oneOf;
  return Array.isArray(members) ? members.filter(isObject) : null;
}
