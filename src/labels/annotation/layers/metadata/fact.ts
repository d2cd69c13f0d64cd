import type { JsonObject, JsonValue } from '#core';

/**
 * One thing that may be known of an episode. `told`: here it is. `unknown`: it has one and the recording does not say.
 * `inapplicable`: such an episode has none. A value that is not told is null, with the reason.
 */
export type Fact =
  | { readonly status: 'told'; readonly value: JsonValue; readonly reason: null }
  | { readonly status: 'unknown' | 'inapplicable'; readonly value: null; readonly reason: string };

export const told = (value: JsonValue): Fact => ({ reason: null, status: 'told', value });
export const unknown = (reason: string): Fact => ({ reason, status: 'unknown', value: null });
export const inapplicable = (reason: string): Fact => ({ reason, status: 'inapplicable', value: null });

export type Facts = Readonly<Record<string, Fact>>;

/** Facts as JSON, in the order of their names. */
export function factsJson(facts: Facts): JsonObject {
  const json: Record<string, JsonObject> = {};
  for (const name of Object.keys(facts).sort()) json[name] = facts[name];
  return json;
}

/** Share of the facts told among those that such an episode has; null where it has none. */
export function filledFraction(facts: Facts): number | null {
  const applicable = Object.values(facts).filter(({ status }) => status !== 'inapplicable');
  if (applicable.length === 0) return null;
  return applicable.filter(({ status }) => status === 'told').length / applicable.length;
}
