import type { JsonObject, JsonValue } from '#core';
import { languageFeatures } from './language/language-features.ts';
import { quoted } from './sql.ts';

/**
 * What the `datasets` library reads from a Parquet file's footer: that a column of bytes is pictures. Empty without
 * pictures: then the columns say all, and no version of the library stumbles over the words of another. Vectors are
 * `Sequence`, which every version reads (`List` only from 4 on).
 */
export function columnFooter(features: JsonObject): string {
  const all = Object.entries(features as Record<string, JsonObject>).filter(
    ([, { dtype }]) => dtype !== 'video',
  );
  if (!all.some(([, { dtype }]) => dtype === 'image')) return '';
  const types = Object.fromEntries(all.map(([key, feature]) => [key, languageOf(key) ?? typeOf(feature)]));
  return `, KV_METADATA {huggingface: ${quoted(JSON.stringify({ info: { features: types } }))}}`;
}

/** A list, as every version of the library writes one; null: the column is none of LeRobot's words. */
function languageOf(key: string): JsonValue | null {
  if (!Object.hasOwn(languageFeatures, key)) return null;
  const text = { dtype: 'string', _type: 'Value' };
  const stamp = key === 'language_persistent' ? { timestamp: { dtype: 'float32', _type: 'Value' } } : {};
  return [{ role: text, content: text, style: text, ...stamp, camera: text, tool_calls: [text] }];
}

function typeOf({ dtype, shape }: JsonObject): JsonObject {
  if (dtype === 'image') return { _type: 'Image' };
  const value = { dtype, _type: 'Value' } as JsonObject;
  const dims = Array.isArray(shape) ? shape : [1];
  if (dims.length > 1) return { shape: dims, dtype, _type: `Array${dims.length}D` } as JsonObject;
  return dims.length === 0 || dims[0] === 1
    ? value
    : ({ feature: value, length: dims[0], _type: 'Sequence' } as JsonObject);
}
