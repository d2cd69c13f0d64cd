/** Quotes an SQL string literal. */
export function sqlString(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Quotes an SQL identifier. */
export function sqlIdentifier(column: string): string {
  return `"${column.replaceAll('"', '""')}"`;
}
