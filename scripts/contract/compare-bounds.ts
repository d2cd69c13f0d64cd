import { type Direction, type Json, same } from './change.ts';

interface Found {
  readonly what: string;
  readonly breaking: boolean;
}

/** Told of a schema, and nothing that programs depend on. */
const ignored: ReadonlySet<string> = new Set(['description', 'examples', 'example', 'title', '$comment']);
/** Compared elsewhere. */
const structure: ReadonlySet<string> = new Set([
  '$ref',
  'anyOf',
  'oneOf',
  'properties',
  'required',
  'items',
  'additionalProperties',
  'propertyNames',
  'contentSchema',
]);
/** Bounds of JSON Schema: a larger `ceiling` or a smaller `floor` accepts more values. */
const limits: Readonly<Record<string, 'floor' | 'ceiling'>> = {
  minimum: 'floor',
  exclusiveMinimum: 'floor',
  minLength: 'floor',
  minItems: 'floor',
  minProperties: 'floor',
  maximum: 'ceiling',
  exclusiveMaximum: 'ceiling',
  maxLength: 'ceiling',
  maxItems: 'ceiling',
  maxProperties: 'ceiling',
};

/** Returns the changes of the values that a schema accepts, without those of nested schemas. */
export function boundChanges(direction: Direction, old: Json, now: Json): Found[] {
  return Object.keys({ ...old, ...now })
    .filter((key) => !ignored.has(key) && !structure.has(key) && !same(old[key], now[key]))
    .flatMap((key) => {
      if (key === 'type') return typeChange(direction, old.type, now.type);
      if (key === 'enum' && Array.isArray(old.enum) && Array.isArray(now.enum))
        return valueChanges(old.enum, now.enum);
      if (key in limits) return limitChange(direction, key, old[key], now[key]);
      return [{ what: `${key} ${told(old[key])} became ${told(now[key])}`, breaking: true }];
    });
}

function typeChange(direction: Direction, old: unknown, now: unknown): Found[] {
  const [were, are] = [typesOf(old), typesOf(now)];
  // A number takes every integer.
  const within = (some: readonly string[], all: readonly string[]) =>
    all.length === 0 ||
    (some.length > 0 &&
      some.every((type) => all.includes(type) || (type === 'integer' && all.includes('number'))));
  const harmless = direction === 'request' ? within(were, are) : within(are, were);
  return [{ what: `type ${told(old)} became ${told(now)}`, breaking: !harmless }];
}

const typesOf = (type: unknown): string[] => (type === undefined ? [] : [type].flat().map(String));

function valueChanges(old: readonly unknown[], now: readonly unknown[]): Found[] {
  const gone = old.filter((value) => !now.includes(value));
  const more = now.filter((value) => !old.includes(value));
  return [
    ...gone.map((value) => ({ what: `value ${told(value)} removed`, breaking: true })),
    ...more.map((value) => ({ what: `value ${told(value)} added`, breaking: true })),
  ];
}

function limitChange(direction: Direction, key: string, old: unknown, now: unknown): Found[] {
  const open = limits[key] === 'floor' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const [was, is] = [typeof old === 'number' ? old : open, typeof now === 'number' ? now : open];
  const wider = limits[key] === 'floor' ? is < was : is > was;
  return [{ what: `${key} ${told(old)} became ${told(now)}`, breaking: wider === (direction === 'answer') }];
}

const told = (value: unknown): string => (value === undefined ? 'none' : JSON.stringify(value));
