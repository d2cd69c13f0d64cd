import type { CurationStrategy, JsonValue } from '#client';
import { spaced } from '../../components/words.ts';

/** Parameter of a strategy, read from its JSON Schema. */
export interface Parameter {
  readonly name: string;
  /** Description from the schema. */
  readonly says: string;
  readonly input: 'number' | 'integer' | 'choice' | 'choices' | 'texts';
  readonly options: readonly string[];
  readonly least: number | undefined;
  readonly most: number | undefined;
  /** Default; undefined if the parameter is required. */
  readonly usual: JsonValue | undefined;
}

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: JsonValue;
  readonly items?: Schema;
}

/** Returns the parameters of a strategy in schema order. */
export function parametersOf({ parameters }: Pick<CurationStrategy, 'parameters'>): readonly Parameter[] {
  const properties = (parameters.properties ?? {}) as Readonly<Record<string, Schema>>;
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    says: schema.description ?? '',
    input: inputOf(schema),
    options: schema.enum ?? schema.items?.enum ?? [],
    least: schema.minimum,
    most: schema.maximum,
    usual: schema.default,
  }));
}

function inputOf({ type, enum: values, items }: Schema): Parameter['input'] {
  if (type === 'array') return items?.enum === undefined ? 'texts' : 'choices';
  if (values !== undefined) return 'choice';
  return type === 'integer' ? 'integer' : 'number';
}

/** Returns the name of a parameter in words, without its unit: `min` for `least_s`. */
export const parameterTitle = (name: string): string =>
  spaced(unitOf(name) === '' ? name : name.slice(0, -2))
    .replace(/^least\b/, 'min')
    .replace(/^most\b/, 'max');

/** Returns the unit given by a name's suffix: `s` for `least_s`, otherwise ''. */
export const unitOf = (name: string): string => (name.endsWith('_s') ? 's' : '');
