import type { SourceTree } from '#io/sources';

const slot = /\{episode(?::0?(\d{1,2})d?)?\}/;

/** Files of a pattern such as `data/{episode}.csv`, by the episode they belong to, in the order of the listing. */
export function matchEpisodes(tree: SourceTree, pattern: string): Map<string, string[]> {
  const { before, after } = split(pattern);
  const expression = new RegExp(`^${literal(before)}(?<episode>[^/]+)${literal(after)}$`);
  const found = new Map<string, string[]>();
  for (const { path } of tree.files) {
    const episode = expression.exec(path)?.groups?.episode;
    if (episode === undefined) continue;
    const own = found.get(episode);
    if (own === undefined) found.set(episode, [path]);
    else own.push(path);
  }
  return found;
}

/** The path a pattern names for one episode, and whether it is there; `*` is looked up in the listing. */
export function fileOf(tree: SourceTree, pattern: string, episode: string): { path: string; there: boolean } {
  const digits = slot.exec(pattern)?.[1];
  const name =
    digits === undefined || !/^\d+$/.test(episode) ? episode : episode.padStart(Number(digits), '0');
  const path = pattern.replace(slot, () => name);
  if (!path.includes('*')) return { path, there: tree.has(path) };
  const expression = new RegExp(`^${literal(path)}$`);
  const found = tree.files.find((file) => expression.test(file.path));
  return found === undefined ? { path, there: false } : { path: found.path, there: true };
}

function split(pattern: string): { before: string; after: string } {
  const found = slot.exec(pattern);
  if (found === null) return { before: pattern, after: '' };
  return { before: pattern.slice(0, found.index), after: pattern.slice(found.index + found[0].length) };
}

function literal(text: string): string {
  return text.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*');
}
