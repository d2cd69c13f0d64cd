/** Ids as one text, a line each, as rows of comparisons hold them: equal lists are equal texts. */
export function idList(ids: readonly string[]): string {
  return ids.map(escaped).join('\n');
}

export function idsIn(list: string): string[] {
  return list === '' ? [] : list.split('\n').map(unescaped);
}

/** Names of topics and features may hold line breaks. */
function escaped(id: string): string {
  return /[\\\n]/.test(id) ? id.replaceAll('\\', '\\\\').replaceAll('\n', '\\n') : id;
}

function unescaped(line: string): string {
  return line.includes('\\') ? line.replaceAll(/\\(.)/g, (_, sign) => (sign === 'n' ? '\n' : sign)) : line;
}
