import { isDeepStrictEqual } from 'node:util';

/** Any JSON object of the contract. */
export type Json = Readonly<Record<string, unknown>>;

/** What clients send, or what they get. */
export type Direction = 'request' | 'answer';

/** One difference between two contracts. */
export interface Change {
  /** Where it is: an operation, or a schema with its direction. */
  readonly place: string;
  readonly what: string;
  /** Whether programs written for the contract before may stop working, so that the migration guide must name it. */
  readonly breaking: boolean;
}

/** How the migration guide names a change. */
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

/** What a `$ref` points to, followed to its end. Throws where it points at nothing. */
export function resolved(root: Json, value: Json): Json {
  const ref = value.$ref;
  if (typeof ref !== 'string') return value;
  let at: unknown = root;
  for (const part of ref.split('/').slice(1))
    at = isObject(at) ? at[part.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;
  if (!isObject(at)) throw new Error(`${ref} points at nothing`);
  return resolved(root, at);
}
