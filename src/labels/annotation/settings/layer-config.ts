import type { Knob, KnobValue, LayerConfig, NamesKnob, NumberKnob } from '../knob.ts';
import type { LayerRow } from '../layer.ts';

/** A layer's knobs at their default. */
export function defaultConfig({ knobs }: Pick<LayerRow, 'knobs'>): LayerConfig {
  return Object.fromEntries(Object.entries(knobs).map(([id, knob]) => [id, knob.default]));
}

/** The knobs that were set to something usable, within their bounds; the rest is dropped, nothing is refused. */
export function coerceConfig(
  layer: Pick<LayerRow, 'knobs'>,
  raw: Readonly<Record<string, unknown>>,
): LayerConfig {
  const kept = Object.entries(layer.knobs).flatMap(([id, knob]) => {
    const value = coerceKnob(knob, Object.hasOwn(raw, id) ? raw[id] : undefined);
    return value === undefined ? [] : [[id, value] as const];
  });
  return Object.fromEntries(kept);
}

/** What a value means to a knob; undefined where it means nothing. */
function coerceKnob(knob: Knob, value: unknown): KnobValue | undefined {
  switch (knob.type) {
    case 'number':
    case 'integer':
      return coerceNumber(knob, value);
    case 'choice':
      return knob.values.find((known) => known === value);
    case 'flag':
      return coerceFlag(value);
    case 'names':
      return coerceNames(knob, value);
  }
}

function coerceNumber(knob: NumberKnob, value: unknown): number | undefined {
  const text = typeof value === 'string' && value.trim() !== '';
  if (typeof value !== 'number' && !text) return undefined;
  const given = Number(value);
  if (Number.isNaN(given)) return undefined;
  const within = Math.min(knob.maximum, Math.max(knob.minimum, given));
  return knob.type === 'integer' ? Math.round(within) : within;
}

const flagWords: Readonly<Record<string, boolean>> = { true: true, false: false, 1: true, 0: false };

function coerceFlag(value: unknown): boolean | undefined {
  const word = typeof value === 'object' ? '' : String(value).trim().toLowerCase();
  return Object.hasOwn(flagWords, word) ? flagWords[word] : undefined;
}

/** Trimmed, each once, in the order given. */
function coerceNames(knob: NamesKnob, value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const names = value
    .filter((name): name is string => typeof name === 'string')
    .map((name) => storable(name, knob.maximum_length));
  return [...new Set(names)].filter((name) => name !== '').slice(0, knob.maximum_items);
}

/** Neither a database nor canonical JSON takes control characters and halves of a pair; a cut must not make one. */
function storable(name: string, maximum_length: number): string {
  const whole = name
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim();
  return [...whole].slice(0, maximum_length).join('').trimEnd();
}
