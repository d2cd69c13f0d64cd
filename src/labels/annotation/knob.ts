/** What every knob says of itself. */
interface KnobBase<Type extends string, Value> {
  readonly type: Type;
  readonly summary: string;
  readonly default: Value;
  /** Whether turning it changes what the layer costs. */
  readonly moves_cost: boolean;
}

export interface NumberKnob extends KnobBase<'number' | 'integer', number> {
  readonly minimum: number;
  readonly maximum: number;
  /** As in the knob's name: `s`, `hz`, `px`; null for counts and shares. */
  readonly unit: string | null;
}

export interface ChoiceKnob extends KnobBase<'choice', string> {
  readonly values: readonly string[];
}

export type FlagKnob = KnobBase<'flag', boolean>;

/** Names in the user's own words, none by default. */
export interface NamesKnob extends KnobBase<'names', readonly string[]> {
  readonly maximum_items: number;
  readonly maximum_length: number;
}

export type Knob = NumberKnob | ChoiceKnob | FlagKnob | NamesKnob;
export type KnobValue = Knob['default'];

/** Values of a layer's knobs, each within its bounds. */
export type LayerConfig = Readonly<Record<string, KnobValue>>;

type Range = readonly [minimum: number, maximum: number, initial: number];
interface About {
  readonly summary: string;
  readonly moves_cost?: boolean;
}

const base = ({ summary, moves_cost = false }: About) => ({ summary, moves_cost });

export const number = (
  [minimum, maximum, initial]: Range,
  unit: string | null,
  about: About,
): NumberKnob => ({
  type: 'number',
  minimum,
  maximum,
  default: initial,
  unit,
  ...base(about),
});

export const integer = (range: Range, unit: string | null, about: About): NumberKnob => ({
  ...number(range, unit, about),
  type: 'integer',
});

/** The first value is the default. */
export const choice = (values: readonly [string, ...string[]], about: About): ChoiceKnob => ({
  type: 'choice',
  values,
  default: values[0],
  ...base(about),
});

export const flag = (initial: boolean, about: About): FlagKnob => ({
  type: 'flag',
  default: initial,
  ...base(about),
});

export const names = (about: About): NamesKnob => ({
  type: 'names',
  default: [],
  maximum_items: 1000,
  maximum_length: 100,
  ...base(about),
});
