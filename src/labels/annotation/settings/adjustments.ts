import { type JsonValue, pointerPart } from '#core';
import { coerceConfig, describeValues, type KnobValue } from '../knob.ts';
import type { LayerRow } from '../layer.ts';
import { layers } from '../layer-registry.ts';

/** A requested layer setting that is stored with another value or dropped. */
export interface Adjustment {
  /** JSON pointer into the request. */
  readonly pointer: string;
  /** Value that was sent; `null` if it is too long to repeat. */
  readonly asked: JsonValue;
  /** Stored value; `null` if the setting was dropped. */
  readonly stored: KnobValue | null;
  readonly reason: string;
}

const maxAdjustments = 100;
const maxAsked_chars = 1000;

/**
 * Lists the first `maxAdjustments` layer settings of a change that are clamped, rounded or dropped, in the order of
 * the request; empty if all are valid.
 */
export function listAdjustments(config: Readonly<Record<string, unknown>> | undefined): Adjustment[] {
  const adjustments: Adjustment[] = [];
  for (const [layer, values] of Object.entries(config ?? {})) {
    if (adjustments.length >= maxAdjustments) break;
    adjustments.push(...adjustLayer(layer, values));
  }
  return adjustments.slice(0, maxAdjustments);
}

function adjustLayer(layer: string, values: unknown): Adjustment[] {
  const pointer = `/body/config/${pointerPart(layer)}`;
  const drop = (reason: string) => [{ pointer, asked: repeatable(values), stored: null, reason }];
  const row = layers.get(layer);
  if (row === undefined) return drop(`unknown layer; the layers are ${layers.ids.join(', ')}`);
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    return drop('must be an object of settings');
  return Object.entries(values).flatMap(([id, requested]) => {
    const adjusted = adjustKnob(row, id, requested);
    return adjusted === null ? [] : [{ pointer: `${pointer}/${pointerPart(id)}`, ...adjusted }];
  });
}

function adjustKnob(row: LayerRow, id: string, requested: unknown): Omit<Adjustment, 'pointer'> | null {
  const knob = Object.hasOwn(row.knobs, id) ? row.knobs[id] : undefined;
  if (knob === undefined) {
    const known = Object.keys(row.knobs).join(', ') || 'none';
    return { asked: repeatable(requested), stored: null, reason: `unknown setting; ${row.id} has ${known}` };
  }
  const stored = coerceConfig(row, { [id]: requested })[id] ?? null;
  if (JSON.stringify(stored) === JSON.stringify(requested)) return null;
  return { asked: repeatable(requested), stored, reason: `must be ${describeValues(knob)}` };
}

const repeatable = (value: unknown): JsonValue =>
  JSON.stringify(value).length > maxAsked_chars ? null : (value as JsonValue);
