/** A text as SQL writes it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A column's name as SQL writes it. */
export function named(column: string): string {
  return `"${column.replaceAll('"', '""')}"`;
}
