import type { HashedEntry } from './manifest.ts';
import { mayBeInBundle } from './names.ts';

/** What was sealed, by path: SHA-256. */
export type Sealed = ReadonlyMap<string, string>;

/** What differs between sealed files and those that are there, a sentence each; `by` names who says what was sealed. */
export function compareEntries(
  sealed: Sealed,
  entries: ReadonlyMap<string, HashedEntry>,
  { by, except }: { readonly by: string; readonly except: readonly string[] },
): string[] {
  const removed = [...sealed].filter(([path]) => !entries.has(path));
  const added = [...entries.values()].filter(({ path }) => !sealed.has(path) && !except.includes(path));
  const renamed = new Map(
    removed.flatMap(([path, sha256]) => {
      const now = added.find((entry) => entry.sha256 === sha256);
      return now === undefined ? [] : [[path, now.path]];
    }),
  );
  const newNames = new Set(renamed.values());
  return [
    ...removed.map(([path]) => {
      const now = renamed.get(path);
      return now === undefined ? `${path} was removed` : `${path} was renamed to ${now}`;
    }),
    ...added.filter(({ path }) => !newNames.has(path)).map(({ path }) => wasAdded(path, by)),
    ...[...sealed].flatMap(([path, sha256]) => changed(path, sha256, entries.get(path), by)),
  ];
}

const wasAdded = (path: string, by: string): string =>
  mayBeInBundle(path)
    ? `${path} was added: ${by} does not name it`
    : `${path} was added, and may not be in a bundle: it holds evidence, no media`;

const changed = (path: string, sealed: string, entry: HashedEntry | undefined, by: string): string[] =>
  entry === undefined || entry.sha256 === sealed
    ? []
    : [`${path} was changed: its SHA-256 is ${entry.sha256}, ${by} says ${sealed}`];
