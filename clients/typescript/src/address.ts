import type { Row } from './calls.ts';

type Input = Readonly<Record<string, unknown>>;

/** Path, query and body of a request. */
export interface Addressed {
  /** Path and query. */
  readonly path: string;
  /** JSON; null without a body. */
  readonly body: string | null;
}

/** Distributes the members of an input to path, query and body. Throws `TypeError` for an empty or dotted path part. */
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

/** Encodes a path part. `.` and `..` would name a parent folder, and an empty part another operation. */
function segment(name: string, value: unknown): string {
  const text = value === undefined || value === null ? '' : String(value);
  if (/^\.{0,2}$/.test(text)) throw new TypeError(`${name} cannot be ${text === '' ? 'empty' : text}`);
  return encodeURIComponent(text);
}

/** Encodes a query; the name of a list is repeated for each item. */
const queryOf = (members: Input): string =>
  Object.entries(members)
    .flatMap(([name, value]) => [value].flat().map((one: unknown) => [name, one] as const))
    .filter(([, one]) => one !== undefined && one !== null)
    .map(([name, one]) => `${name}=${encodeURIComponent(String(one)).replaceAll('%3A', ':')}`)
    .join('&');
