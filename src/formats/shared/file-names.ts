/** Parts of a path: folder without a trailing slash, name, extension in lower case with its dot, and stem. */
export interface PathParts {
  readonly folder: string;
  readonly name: string;
  readonly extension: string;
  readonly stem: string;
}

export function splitPath(path: string): PathParts {
  const slash = path.lastIndexOf('/');
  const name = path.slice(slash + 1);
  const dot = name.lastIndexOf('.');
  return {
    folder: path.slice(0, Math.max(0, slash)),
    name,
    extension: dot > 0 ? name.slice(dot).toLowerCase() : '',
    stem: dot > 0 ? name.slice(0, dot) : name,
  };
}

/** Returns the parent of a folder; '' for a folder at the top level, and for the top level itself. */
export function parentOf(folder: string): string {
  return folder.slice(0, Math.max(0, folder.lastIndexOf('/')));
}

/** Returns the folders of files and all folders above them, with '' for the top level. */
export function foldersAround(paths: Iterable<string>): ReadonlySet<string> {
  const around = new Set<string>(['']);
  for (const path of paths)
    for (let at = splitPath(path).folder; !around.has(at); at = parentOf(at)) around.add(at);
  return around;
}

/** True if the file or folder lies in the folder or below it. */
export function isBelow(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** Relations of two folders: the same, one inside the other, or side by side. */
export function areNeighbours(a: string, b: string): boolean {
  return a === b || (a !== '' && parentOf(a) === b) || (b !== '' && parentOf(b) === a) || areParallel(a, b);
}

/**
 * True if two folders differ in one part of their paths only, and not by a number: `images/train` and `labels/train`, but
 * not `episode_1` and `episode_2`.
 */
function areParallel(a: string, b: string): boolean {
  const left = a.split('/');
  const right = b.split('/');
  if (left.length !== right.length) return false;
  const differing = left.flatMap((part, i) => (part === right[i] ? [] : [i]));
  return differing.length === 1 && differing.every((i) => patternOf(left[i]) !== patternOf(right[i]));
}

/** Returns a path with each number replaced by `#`: equal for `episode_1/data.json` and `episode_2/data.json`. */
export function patternOf(path: string): string {
  return path.replace(/\d+/g, '#');
}
