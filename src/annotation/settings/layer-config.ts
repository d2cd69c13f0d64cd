import type { Knob, KnobValue, NamesKnob, NumberKnob } from '../knob.ts';
import type { LayerConfig, LayerRow } from '../layer.ts';

export type RawConfig = Readonly<Record<string, unknown>>;

/** A layer's knobs as they turn out of what is stored, the most specific first; unset ones at their default. */
export function layerConfig(layer: LayerRow, ...stored: readonly (RawConfig | undefined)[]): LayerConfig {
  const config: Record<string, KnobValue> = {};
  for (const [id, knob] of Object.entries(layer.knobs)) {
    const set = stored.map((one) => coerceKnob(knob, one?.[id])).find((value) => value !== undefined);
    config[id] = set ?? knob.default;
  }
  return config;
}

/** The knobs that were set to something usable, within their bounds; the rest is dropped, nothing is refused. */
export function coerceConfig(layer: LayerRow, raw: RawConfig): LayerConfig {
  const kept = Object.entries(layer.knobs).flatMap(([id, knob]) => {
    const value = coerceKnob(knob, Object.hasOwn(raw, id) ? raw[id] : undefined);
    return value === undefined ? [] : [[id, value] as const];
  });
  return Object.fromEntries(kept);
}

/** What a value means to a knob; undefined where it means nothing. */
export function coerceKnob(knob: Knob, value: unknown): KnobValue | undefined {
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
  const trimmed = value
    .filter((name): name is string => typeof name === 'string')
    .map((name) => name.trim().slice(0, knob.maximum_length));
  return [...new Set(trimmed)].filter((name) => name !== '').slice(0, knob.maximum_items);
}
