import type { Row } from './calls.ts';

type Input = Readonly<Record<string, unknown>>;

/** Where an operation is asked, and what is sent there. */
export interface Addressed {
  /** Path and query. */
  readonly path: string;
  /** Null where nothing is sent. */
  readonly body: string | null;
}

/** An input's members as the address and the body of a request. Throws `TypeError` for what no address can hold. */
export function addressOf({ path, body, repeated }: Row, input: Input): Addressed {
  const rest = { ...input };
  const filled = path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    if (repeated?.includes(name) !== true) delete rest[name];
    return segment(name, input[name]);
  });
  if (body === true) return { path: filled, body: JSON.stringify(rest) };
  const query = queryOf(rest);
  return { path: query === '' ? filled : `${filled}?${query}`, body: null };
}

/** Dots alone would climb, and nothing would be another address. */
function segment(name: string, value: unknown): string {
  const text = value === undefined || value === null ? '' : String(value);
  if (/^\.{0,2}$/.test(text)) throw new TypeError(`${name} cannot be ${text === '' ? 'empty' : text}`);
  return encodeURIComponent(text);
}

/** A list is its name repeated. */
const queryOf = (members: Input): string =>
  Object.entries(members)
    .flatMap(([name, value]) => [value].flat().map((one: unknown) => [name, one] as const))
    .filter(([, one]) => one !== undefined && one !== null)
    .map(([name, one]) => `${name}=${encodeURIComponent(String(one)).replaceAll('%3A', ':')}`)
    .join('&');
