import { z } from 'zod';
import type { JsonObject, JsonValue } from '#core';

/** What a schema says before (`input`) or after (`output`) defaults and transforms. */
type Io = 'input' | 'output';

/**
 * Turns zod schemas into JSON Schema whose named parts (`.meta({ id })`) are shared components. A part that differs
 * between what may be sent and what is answered is there twice: `Name` as answered, `NameInput` as sent.
 */
export class SchemaBook {
  readonly #parts: Record<Io, Map<string, JsonObject>> = { input: new Map(), output: new Map() };
  /** Roots as converted, until it is known which parts differ. */
  readonly #roots: { readonly io: Io; readonly schema: JsonObject; readonly into: { value: JsonObject } }[] =
    [];

  /** A place that holds the schema once `components` was called. */
  add(schema: z.ZodType, io: Io): { readonly value: JsonObject } {
    const { $schema: _, $defs, ...root } = z.toJSONSchema(schema, { io, override: tidy }) as JsonObject;
    for (const [id, part] of Object.entries(($defs ?? {}) as Readonly<Record<string, JsonObject>>)) {
      if (id.startsWith('__'))
        throw new Error(`a schema refers to itself without a name: give it meta({ id })`);
      this.#parts[io].set(id, id === 'JsonValue' ? anyJson : part);
    }
    const into = { value: {} as JsonObject };
    this.#roots.push({ io, schema: root, into });
    return into;
  }

  /** Fills every place that `add` gave, and answers with the shared parts by name. */
  components(): Readonly<Record<string, JsonObject>> {
    const twofold = this.#twofold();
    const rename = (io: Io) => (id: string) => (io === 'input' && twofold.has(id) ? `${id}Input` : id);
    for (const { io, schema, into } of this.#roots) into.value = pointed(schema, rename(io)) as JsonObject;
    const all = new Map<string, JsonObject>();
    for (const io of ['output', 'input'] as const)
      for (const [id, part] of this.#parts[io])
        all.set(rename(io)(id), pointed(part, rename(io)) as JsonObject);
    return Object.fromEntries([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Parts that differ between the two, or refer to such a part. */
  #twofold(): ReadonlySet<string> {
    const { input, output } = this.#parts;
    const differs = (id: string) =>
      output.has(id) && JSON.stringify(input.get(id)) !== JSON.stringify(output.get(id));
    const found = new Set([...input.keys()].filter(differs));
    const refersToFound = (part: JsonObject) =>
      [...found].some((id) => JSON.stringify(part).includes(`"#/$defs/${id}"`));
    for (let before = -1; before !== found.size; ) {
      before = found.size;
      for (const [id, part] of input) if (output.has(id) && refersToFound(part)) found.add(id);
    }
    return found;
  }
}

/** Said without referring to itself, which many readers of such documents cannot follow. */
const anyJson: JsonObject = { description: 'Any JSON.' };

/** References as OpenAPI has them. */
function pointed(value: JsonValue, rename: (id: string) => string): JsonValue {
  if (Array.isArray(value)) return value.map((member: JsonValue) => pointed(member, rename));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]): [string, JsonValue] =>
    key === '$ref' && typeof member === 'string'
      ? [key, `#/components/schemas/${rename(member.replace('#/$defs/', ''))}`]
      : [key, pointed(member, rename)],
  );
  return Object.fromEntries(entries);
}

/** Takes away what a format or the type says already. */
function tidy({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  // What an address may be differs between readers of `format`; the pattern is what is held to.
  if (jsonSchema.format === 'email' && jsonSchema.pattern !== undefined) delete jsonSchema.format;
  // A tuple of one kind of member as a list of that length: more readers know those.
  const [first, ...rest] = jsonSchema.prefixItems ?? [];
  const same = (member: unknown) => JSON.stringify(member) === JSON.stringify(first);
  if (first !== undefined && jsonSchema.items === false && rest.every(same)) {
    delete jsonSchema.prefixItems;
    jsonSchema.items = first;
  }
  const names = jsonSchema.propertyNames;
  if (typeof names === 'object' && Object.keys(names).length === 1 && names.type === 'string')
    delete jsonSchema.propertyNames;
}
