/** What an upload is called: the folder that all lie in, else the first of the files. */
export function uploadName(files: readonly { readonly path: string }[]): string {
  const tops = new Set(files.map(({ path }) => path.split('/')[0] ?? ''));
  const [first = 'upload'] = tops;
  return tops.size === 1 ? first : `${first} and ${files.length - 1} more`;
}
