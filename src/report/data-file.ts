/**
 * JSON text as a JavaScript string literal. The pages parse it as JSON: written as an object literal instead, a
 * hostile `__proto__` member would change what the object says.
 */
export function quoted(json: string): string {
  return `'${json.replace(/[\\']/g, '\\$&')}'`;
}

/** A data file that hands `items` (string literals) to the page that loaded it; `fetch` does not work on file://. */
export function dataFile(slot: string, part: number, items: readonly string[]): string {
  return `assay.receive('${slot}', ${part}, [\n${items.join(',\n')}\n]);\n`;
}
