const splits = /^(train(ing)?|test(ing)?|eval|evaluation|val(id(ation)?)?|dev|holdout)$/i;
const containers = /^(images?|imgs?|data|jpe?gimages|pictures|photos|frames|rgb)$/i;

/**
 * Class names from folders, as Hugging Face's imagefolder takes them: the folder that holds the picture, directly
 * below the root or a split folder, provided that every picture lies so and that there are at least two such folders.
 * Null: the folders are no classes.
 */
export function classFolders(paths: readonly string[]): ((path: string) => string) | null {
  const names = new Set<string>();
  for (const path of paths) {
    const name = classOf(path);
    if (name === null || containers.test(name)) return null;
    names.add(name);
  }
  return names.size < 2 ? null : (path) => classOf(path) ?? '';
}

/** Whether a folder's name says what a part of the set is for rather than what it shows. */
export function isSplit(name: string): boolean {
  return splits.test(name);
}

function classOf(path: string): string | null {
  const folders = path.split('/').slice(0, -1);
  while (folders.length > 0 && splits.test(folders[0])) folders.shift();
  return folders.length === 1 ? folders[0] : null;
}
