/** Of a ROS 2 bag: the file beside its recordings that describes them. */
export const sidecarName = 'metadata.yaml';

export function isSidecar(path: string): boolean {
  return baseName(path) === sidecarName;
}

export function inFolder(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The name a recording has when it is not compressed as a whole. */
export function uncompressedName(path: string): string {
  return path.replace(/\.(zstd|zst)$/i, '');
}
