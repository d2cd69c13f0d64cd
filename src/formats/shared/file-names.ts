/** Parts of a path: folder without a trailing slash, name, extension in lower case with its dot, and stem. */
export interface PathParts {
  readonly folder: string;
  readonly name: string;
  readonly extension: string;
  readonly stem: string;
}

/**
 * Splits a path into folder, name, stem and lower-case extension with its dot; the extension is '' if the name has no
 * dot behind its first character.
 */
export function splitPath(path: string): PathParts {
  const folder = folderOf(path);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return {
    folder,
    name,
    extension: dot > 0 ? name.slice(dot).toLowerCase() : '',
    stem: dot > 0 ? name.slice(0, dot) : name,
  };
}

/** Returns the folder of a file or folder without a trailing slash; '' at the top level, and for the top level itself. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Returns the folders that contain the files and all folders above them, with '' for the top level. */
export function foldersAround(paths: Iterable<string>): ReadonlySet<string> {
  const around = new Set<string>(['']);
  for (const path of paths)
    for (let at = splitPath(path).folder; !around.has(at); at = folderOf(at)) around.add(at);
  return around;
}

/** True if the path is the folder itself or lies below it; every path lies below ''. */
export function isBelow(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

const number = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<![a-z0-9])[0-9a-f]{8,}(?![a-z0-9])|\d+/gi;

/**
 * Returns a path with each number, UUID and hash replaced by `#`: equal for `episode_1/data.json` and
 * `episode_2/data.json`.
 */
export function patternOf(path: string): string {
  return path.replace(number, '#');
}

const pictureName =
  /\.(jpe?g|jpe|jfif|png|bmp|dib|webp|tiff?|gif|p[gpbna]m|pfm|avif|hei[cf]|jp2|j2k|jxl|tga|ico|icns|psd|sgi|pcx|dds|blp|exr|hdr|msp|fli|flc)$/i;
const videoName = /\.(mp4|m4v|mov|qt|mkv|webm|avi|ts|mts|m2ts|mpg|mpeg|flv|ogv|3gp)$/i;

/** True if the path has the extension of a picture. */
export const isPictureName = (path: string): boolean => pictureName.test(path);
/** True if the path has the extension of a video. */
export const isVideoName = (path: string): boolean => videoName.test(path);
/** True if the path has the extension of a picture or a video. */
export const isMediaName = (path: string): boolean => isPictureName(path) || isVideoName(path);

/** Appends a value to the list of a key in `into`, which is created if absent. */
export function append<Value>(into: Map<string, Value[]>, key: string, value: Value): void {
  const own = into.get(key);
  if (own === undefined) into.set(key, [value]);
  else own.push(value);
}
