/** Returns the text as an SQL string literal, quoted and escaped. */
export function sqlString(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Returns the name as an SQL identifier, quoted and escaped. */
export function sqlIdentifier(column: string): string {
  return `"${column.replaceAll('"', '""')}"`;
}
