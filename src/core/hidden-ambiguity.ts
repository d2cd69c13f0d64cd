/**
 * Describes the first place where two parsers may understand a valid JSON text differently (a duplicate key, or an
 * integer that double precision cannot represent); returns `null` if there is none.
 */
export function hiddenAmbiguity(json: string): string | null {
  const open: (Set<string> | null)[] = [];
  const token = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[{}[\]:,]/g;
  let before = '';
  for (let match = token.exec(json); match !== null; match = token.exec(json)) {
    const text = match[0];
    const keys = open.at(-1);
    if (text === '{') open.push(new Set());
    else if (text === '[') open.push(null);
    else if (text === '}' || text === ']') open.pop();
    else if (text[0] === '"' && keys != null && (before === '{' || before === ',')) {
      const key = String(JSON.parse(text));
      if (keys.has(key)) return `duplicate key ${text} in an object`;
      keys.add(key);
    } else if (/^-?\d+$/.test(text) && !Number.isSafeInteger(Number(text)))
      return `integer ${text} is too large to be represented exactly as a double`;
    before = text;
  }
  return null;
}
