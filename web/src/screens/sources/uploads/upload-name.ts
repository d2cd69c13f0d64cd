/** Returns the name of an upload: the common folder, otherwise the first file's name. */
export function uploadName(files: readonly { readonly path: string }[]): string {
  const tops = new Set(files.map(({ path }) => path.split('/')[0] ?? ''));
  const [first = 'upload'] = tops;
  return tops.size === 1 ? first : `${first} and ${files.length - 1} more`;
}
