import { z } from 'zod';

type Schema = Readonly<Record<string, unknown>>;

/** Gives the value of a member by its name, such as an id that exists; undefined where it knows none. */
export type KnownMember = (name: string) => Promise<unknown>;

/**
 * An input that a schema accepts: its required members, or all of them where those alone are refused. Members are taken
 * from `known` by their names; others are made up. Undefined when neither fits.
 */
export async function sampleInput(schema: z.ZodType, known: KnownMember): Promise<unknown> {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io: 'input' }) as Schema;
  for (const all of [false, true]) {
    const sample = await sampleOf(root, { defs: $defs as Schema, all, known, name: '' });
    if (schema.safeParse(sample).success) return sample;
  }
  return undefined;
}

interface Making {
  readonly defs: Schema;
  /** Also members that may be left out. */
  readonly all: boolean;
  readonly known: KnownMember;
  readonly name: string;
}

async function sampleOf(schema: Schema, making: Making): Promise<unknown> {
  if (typeof schema.$ref === 'string')
    return sampleOf(making.defs[schema.$ref.replace('#/$defs/', '')] as Schema, making);
  const known = making.name === '' ? undefined : await making.known(making.name);
  if (known !== undefined) return known;
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const branches = (schema.anyOf ?? schema.oneOf) as readonly Schema[] | undefined;
  if (branches !== undefined) return sampleOf(branches[0], making);
  if (schema.type === 'object') return objectOf(schema, making);
  return scalarOf(schema);
}

async function objectOf(schema: Schema, making: Making): Promise<unknown> {
  const required = (schema.required ?? []) as readonly string[];
  const properties = (schema.properties ?? {}) as Readonly<Record<string, Schema>>;
  const made: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(properties))
    if (making.all || required.includes(name)) made[name] = await sampleOf(member, { ...making, name });
  return made;
}

let made = 0;

function scalarOf(schema: Schema): unknown {
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(1, Number(schema.minimum ?? 1));
  if (schema.type === 'boolean') return false;
  if (schema.type === 'array') return [];
  if (schema.type === 'null') return null;
  made++;
  return schema.format === 'email' ? `sample-${made}@example.org` : `sample ${made}`;
}
