import { plainTable, SqliteError } from './errors.ts';

/** Where the columns of a table stand in its rows. */
export interface TableColumns {
  /** In the order they are stored, lower case. */
  readonly names: readonly string[];
  /** The column that is the row's number and is not stored itself; null: none. */
  readonly rowid: string | null;
}

const constraint = /^(constraint|primary|unique|check|foreign)\b/i;
const maxText = 64 * 1024;

/**
 * Column names of a CREATE TABLE statement, which is read and never run. Throws `unsupported_table` for tables whose
 * rows are stored in another way than this reader knows.
 */
export function columnsOf(sql: string, table: string): TableColumns {
  const open = sql.indexOf('(');
  if (sql.length > maxText || !/^\s*create\s+table\b/i.test(sql) || open < 0) {
    throw refused(table, 'its definition is not a CREATE TABLE with columns');
  }
  const { parts, rest } = splitColumns(sql, open + 1);
  if (/\bwithout\s+rowid\b/i.test(rest)) throw refused(table, 'it is a WITHOUT ROWID table');
  const names: string[] = [];
  let rowid: string | null = null;
  for (const part of parts) {
    if (constraint.test(part)) continue;
    const [whole, name, declared] = named(part);
    if (whole === '') throw refused(table, `invalid column definition: ${part.slice(0, 80)}`);
    if (/\bgenerated\s+always\b|\bas\s*\(/i.test(declared)) throw refused(table, 'it has generated columns');
    names.push(name.toLowerCase());
    if (/^\s*"?integer"?\s+primary\s+key\b/i.test(declared)) rowid = name.toLowerCase();
  }
  return { names, rowid };
}

/** The whole match, the name without its quotes, and what follows it. */
function named(part: string): readonly [whole: string, name: string, declared: string] {
  const match = /^(?:"((?:[^"]|"")*)"|`((?:[^`]|``)*)`|\[([^\]]*)\]|'((?:[^']|'')*)'|([^\s"'`[(]+))/.exec(
    part,
  );
  if (match === null) return ['', '', ''];
  const [whole, ...forms] = match;
  return [whole, forms.find((form) => form !== undefined) ?? '', part.slice(whole.length)];
}

/** Parts between the commas of the outermost parentheses, comments taken out. */
function splitColumns(sql: string, from: number): { parts: string[]; rest: string } {
  const tokens =
    /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"]|"")*"|'(?:[^']|'')*'|`(?:[^`]|``)*`|\[[^\]]*\]|[\s\S]/g;
  tokens.lastIndex = from;
  const parts: string[] = [];
  let part = '';
  let depth = 0;
  for (let token = tokens.exec(sql); token !== null; token = tokens.exec(sql)) {
    const [text] = token;
    if (text.startsWith('--') || text.startsWith('/*')) {
      part += ' ';
      continue;
    }
    if (text === '(') depth++;
    else if (text === ')' && depth-- === 0) {
      parts.push(part.trim());
      return { parts, rest: sql.slice(tokens.lastIndex) };
    }
    if (text === ',' && depth === 0) {
      parts.push(part.trim());
      part = '';
    } else part += text;
  }
  return { parts: [...parts, part.trim()], rest: '' };
}

function refused(table: string, why: string): SqliteError {
  return new SqliteError('unsupported_table', `cannot read table ${table}: ${why}`, null, plainTable);
}
