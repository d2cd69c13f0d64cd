import { isDeepStrictEqual } from 'node:util';

/** Any JSON object of the contract. */
export type Json = Readonly<Record<string, unknown>>;

/** Direction of a schema: sent by clients, or received by them. */
export type Direction = 'request' | 'answer';

/** One difference between two contracts. */
export interface Change {
  /** Location of the change: an operation, or a schema with its direction. */
  readonly place: string;
  readonly what: string;
  /** True if programs written for the earlier contract may stop working, so that the migration guide must list the change. */
  readonly breaking: boolean;
}

/** Returns the name of a change as used in the migration guide. */
export const nameOf = ({ place, what }: Change): string => `${place}: ${what}`;

/** Takes changes down as they are found; each once. */
export class Changes {
  readonly #found = new Map<string, Change>();

  add(place: string, what: string, breaking: boolean): void {
    const change = { place, what, breaking };
    this.#found.set(nameOf(change), change);
  }

  list(): Change[] {
    return [...this.#found.values()].toSorted(
      (a, b) => Number(b.breaking) - Number(a.breaking) || (nameOf(a) < nameOf(b) ? -1 : 1),
    );
  }
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectAt = (from: Json, key: string): Json => {
  const value = from[key];
  return isObject(value) ? value : {};
};

export const listAt = (from: Json, key: string): readonly unknown[] => {
  const value = from[key];
  return Array.isArray(value) ? value : [];
};

export const same = isDeepStrictEqual;

/** Follows a `$ref` to its target. Throws if the target does not exist. */
export function resolved(root: Json, value: Json): Json {
  const ref = value.$ref;
  if (typeof ref !== 'string') return value;
  let at: unknown = root;
  for (const part of ref.split('/').slice(1))
    at = isObject(at) ? at[part.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;
  if (!isObject(at)) throw new Error(`${ref} points at nothing`);
  return resolved(root, at);
}
