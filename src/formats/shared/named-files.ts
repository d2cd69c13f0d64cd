import { areNeighbours, isBelow, splitPath } from './file-names.ts';

/** Files of a dataset, to find those that a text names. */
export class NamedFiles {
  readonly #all: ReadonlySet<string>;
  readonly #byName = new Map<string, string[]>();
  readonly #byStem = new Map<string, string[]>();

  constructor(paths: readonly string[]) {
    this.#all = new Set(paths);
    for (const path of paths) {
      const { name, stem } = splitPath(path);
      append(this.#byName, name, path);
      append(this.#byStem, stem, path);
    }
  }

  /** Returns the file that a text in `folder` names; `null` if there is none, or several could be meant. */
  resolve(folder: string, mention: string): string | null {
    const clean = mention.replaceAll('\\', '/').replace(/^(\.\.?\/)+/, '');
    const direct = folder === '' ? clean : `${folder}/${clean}`;
    if (this.#all.has(direct)) return direct;
    const name = clean.slice(clean.lastIndexOf('/') + 1);
    // Label Studio puts eight hex digits before the name of an upload; Datumaro leaves the extension out.
    const named =
      this.#byName.get(name) ??
      this.#byName.get(name.replace(/^[0-9a-f]{8}-/, '')) ??
      this.#byStem.get(name) ??
      [];
    const ending = clean.includes('/') ? named.filter((path) => `/${path}`.includes(`/${clean}`)) : [];
    if (ending.length === 1) return ending[0];
    const below = named.filter((path) => isBelow(path, folder));
    return below.length === 1 ? below[0] : named.length === 1 ? named[0] : null;
  }

  /** True if any file has this name, in whatever folder. */
  hasName(name: string): boolean {
    return this.#byName.has(name);
  }

  /** Returns the file with the stem of another file, in its folder or in one beside it; `null` if not exactly one has it. */
  namesake(path: string): string | null {
    const { folder, stem } = splitPath(path);
    const named = this.#byStem.get(stem) ?? [];
    const here = named.filter((own) => splitPath(own).folder === folder);
    const near = here.length > 0 ? here : named.filter((own) => areNeighbours(splitPath(own).folder, folder));
    return near.length === 1 ? near[0] : null;
  }
}

function append(into: Map<string, string[]>, key: string, value: string): void {
  const own = into.get(key);
  if (own === undefined) into.set(key, [value]);
  else own.push(value);
}
