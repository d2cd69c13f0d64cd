import type { CurationStrategy, JsonValue } from '@assay/client';

/** A parameter of a strategy, as its JSON Schema declares it. */
export interface Parameter {
  readonly name: string;
  /** What it is, with its unit. */
  readonly says: string;
  readonly input: 'number' | 'integer' | 'choice' | 'choices' | 'texts';
  readonly options: readonly string[];
  readonly least: number | undefined;
  readonly most: number | undefined;
  /** Undefined: it has none, and must be given. */
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

/** The parameters of a strategy in the order of its schema. */
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

/** The unit that a name carries: `least_s` is in seconds. */
export const unitOf = (name: string): string => (name.endsWith('_s') ? 's' : '');
