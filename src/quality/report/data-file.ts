import { deflateRawSync } from 'node:zlib';

/**
 * JSON text as a JavaScript string literal. The pages parse it as JSON: written as an object literal instead, a
 * hostile `__proto__` member would change what the object says.
 */
export function quoted(json: string): string {
  return `'${json.replace(/[\\']/g, '\\$&')}'`;
}

/**
 * The same with texts that hold no line break, packed: of what repeats from episode to episode little is left. The page
 * unpacks it with `DecompressionStream`.
 */
export function packedFile(slot: string, part: number, texts: readonly string[]): string {
  const packed = deflateRawSync(texts.join('\n'), { level: 5 }).toString('base64');
  return `assay.receive('${slot}', ${part}, ['${packed}'], 'deflate-raw');\n`;
}

/** A data file that hands `items` (string literals) to the page that loaded it; `fetch` does not work on file://. */
export function dataFile(slot: string, part: number, items: readonly string[]): string {
  return `assay.receive('${slot}', ${part}, [\n${items.join(',\n')}\n]);\n`;
}
