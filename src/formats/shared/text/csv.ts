/**
 * Parses comma-separated text (RFC 4180) into rows of strings; blank lines and text after a closing quote are skipped,
 * nothing is refused. Quoted fields may contain commas, doubled quotes and line breaks.
 */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = text.startsWith('\ufeff') ? 1 : 0;
  while (at < text.length) {
    const { value, end } = field(text, at);
    row.push(value);
    at = end + 1;
    if (text[end] === ',') {
      if (at >= text.length) row.push('');
      continue;
    }
    if (text[end] === '\r' && text[at] === '\n') at++;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  }
  if (row.length > 0) rows.push(row);
  return rows;
}

/** Parses the field at `start`; returns its value and the offset of the comma or line break after it. */
function field(text: string, start: number): { value: string; end: number } {
  if (text[start] !== '"') {
    const end = findFieldEnd(text, start);
    return { value: text.slice(start, end), end };
  }
  let value = '';
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return { value: value + text.slice(at), end: text.length };
    value += text.slice(at, quote);
    if (text[quote + 1] !== '"') return { value, end: findFieldEnd(text, quote + 1) };
    value += '"';
    at = quote + 2;
  }
}

/** Returns the offset of the next comma or line break from `from` on; the length of the text if there is none. */
function findFieldEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && text[end] !== ',' && text[end] !== '\n' && text[end] !== '\r') end++;
  return end;
}
