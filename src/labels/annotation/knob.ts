/** Fields common to all knobs (user-settable layer settings). */
interface KnobBase<Type extends string, Value> {
  readonly type: Type;
  readonly summary: string;
  readonly default: Value;
  /** Whether changing the value changes the layer's cost. */
  readonly moves_cost: boolean;
}

/** A number within bounds. */
interface NumberKnob extends KnobBase<'number' | 'integer', number> {
  readonly minimum: number;
  readonly maximum: number;
  /** Unit as in the knob's name: `s`, `hz`, `px`; `null` for counts and fractions. */
  readonly unit: string | null;
}

/** One of a fixed list of values. */
interface ChoiceKnob extends KnobBase<'choice', string> {
  readonly values: readonly string[];
}

/** A boolean switch. */
type FlagKnob = KnobBase<'flag', boolean>;

/** A list of free-form names, empty by default. */
interface NamesKnob extends KnobBase<'names', readonly string[]> {
  readonly maximum_items: number;
  readonly maximum_length: number;
}

/** A user-settable layer setting. */
export type Knob = NumberKnob | ChoiceKnob | FlagKnob | NamesKnob;
/** Value of a knob. */
export type KnobValue = Knob['default'];

/** Knob values of a layer, each within its bounds. */
export type LayerConfig = Readonly<Record<string, KnobValue>>;

type Range = readonly [minimum: number, maximum: number, initial: number];
interface KnobOptions {
  readonly summary: string;
  readonly moves_cost?: boolean;
}

const commonFields = ({ summary, moves_cost = false }: KnobOptions) => ({ summary, moves_cost });

/** Defines a number knob with minimum, maximum and default. */
export const numberKnob = (
  [minimum, maximum, initial]: Range,
  unit: string | null,
  about: KnobOptions,
): NumberKnob => ({
  type: 'number',
  minimum,
  maximum,
  default: initial,
  unit,
  ...commonFields(about),
});

/** Defines an integer knob with minimum, maximum and default. */
export const integerKnob = (range: Range, unit: string | null, about: KnobOptions): NumberKnob => ({
  ...numberKnob(range, unit, about),
  type: 'integer',
});

/** Defines a choice knob; the first value is the default. */
export const choiceKnob = (values: readonly [string, ...string[]], about: KnobOptions): ChoiceKnob => ({
  type: 'choice',
  values,
  default: values[0],
  ...commonFields(about),
});

/** Defines a boolean knob with this default. */
export const flagKnob = (initial: boolean, about: KnobOptions): FlagKnob => ({
  type: 'flag',
  default: initial,
  ...commonFields(about),
});

/** Defines a knob for a list of up to 1000 names of up to 100 characters, empty by default. */
export const namesKnob = (about: KnobOptions): NamesKnob => ({
  type: 'names',
  default: [],
  maximum_items: 1000,
  maximum_length: 100,
  ...commonFields(about),
});

/** A layer, as far as its knobs are concerned. */
interface HasKnobs {
  readonly knobs: Readonly<Record<string, Knob>>;
}

/** Returns the valid values of a knob in words: `an integer from 50 to 2000`. */
export function describeValues(knob: Knob): string {
  if (knob.type === 'choice') return `one of ${knob.values.join(', ')}`;
  if (knob.type === 'flag') return 'true or false';
  if (knob.type === 'names')
    return `a list of at most ${knob.maximum_items} different names of 1 to ${knob.maximum_length} characters`;
  return `${knob.type === 'integer' ? 'an integer' : 'a number'} from ${knob.minimum} to ${knob.maximum}`;
}

/** Returns the default values of a layer's knobs. */
export function defaultConfig({ knobs }: HasKnobs): LayerConfig {
  return Object.fromEntries(Object.entries(knobs).map(([id, knob]) => [id, knob.default]));
}

/**
 * Returns the valid knob values of `raw`, clamped to their bounds and rounded for integers; drops invalid and unknown
 * ones, fills in no defaults and never throws.
 */
export function coerceConfig(layer: HasKnobs, raw: Readonly<Record<string, unknown>>): LayerConfig {
  const entries = Object.entries(layer.knobs).flatMap(([id, knob]) => {
    const value = coerceKnob(knob, Object.hasOwn(raw, id) ? raw[id] : undefined);
    return value === undefined ? [] : [[id, value] as const];
  });
  return Object.fromEntries(entries);
}

/** Converts a value for a knob; `undefined` if it is invalid. */
function coerceKnob(knob: Knob, value: unknown): KnobValue | undefined {
  switch (knob.type) {
    case 'number':
    case 'integer':
      return coerceNumber(knob, value);
    case 'choice':
      return knob.values.find((allowed) => allowed === value);
    case 'flag':
      return coerceFlag(value);
    case 'names':
      return coerceNames(knob, value);
  }
}

function coerceNumber(knob: NumberKnob, value: unknown): number | undefined {
  const text = typeof value === 'string' && value.trim() !== '';
  if (typeof value !== 'number' && !text) return undefined;
  const number = Number(value);
  if (Number.isNaN(number)) return undefined;
  const clamped = Math.min(knob.maximum, Math.max(knob.minimum, number));
  return knob.type === 'integer' ? Math.round(clamped) : clamped;
}

const flagWords: Readonly<Record<string, boolean>> = { true: true, false: false, 1: true, 0: false };

function coerceFlag(value: unknown): boolean | undefined {
  const word = typeof value === 'object' ? '' : String(value).trim().toLowerCase();
  return Object.hasOwn(flagWords, word) ? flagWords[word] : undefined;
}

/** Returns trimmed, unique names in the given order. */
function coerceNames(knob: NamesKnob, value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const names = value
    .filter((name): name is string => typeof name === 'string')
    .map((name) => toStorableName(name, knob.maximum_length));
  return [...new Set(names)].filter((name) => name !== '').slice(0, knob.maximum_items);
}

/**
 * Cleans a name for databases and canonical JSON, which reject control characters and lone surrogates, and truncates
 * it by whole characters.
 */
function toStorableName(name: string, maximum_length: number): string {
  const whole = name
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim();
  return [...whole].slice(0, maximum_length).join('').trimEnd();
}
