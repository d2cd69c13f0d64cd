import { type JsonObject, type JsonValue, parseTolerantJson } from '#core';
import type { SourceTree } from '#io/sources';

/** A metadata file of TFDS. */
export interface ProtoJson {
  readonly value: JsonValue;
  /** Why TFDS, which parses these files with protobuf, refuses the file; empty if it reads it. */
  readonly refused: readonly string[];
}

/** Type of a field of a protobuf message: a scalar, a list, a map, a message, or one that is not checked. */
type FieldType =
  | 'string'
  | 'integer'
  | 'boolean'
  | 'any'
  | { readonly list: FieldType }
  | { readonly map: FieldType }
  | { readonly message: () => Message };
type Message = Readonly<Record<string, FieldType>>;

const message = (fields: () => Message): FieldType => ({ message: fields });
const strings: FieldType = { list: 'string' };
const texts: FieldType = { map: 'string' };
const shape = message(() => ({ dimensions: { list: 'integer' } }));
const classLabel = message(() => ({ numClasses: 'integer' }));
const picture = { shape, dtype: 'string', encodingFormat: 'string', useColormap: 'boolean' } as const;

/** `Feature` in tensorflow_datasets/core/proto/feature.proto of TFDS 4.9.10; features.json holds one. */
export const featureMessage: Message = {
  pythonClassName: 'string',
  description: 'string',
  valueRange: 'string',
  jsonFeature: message(() => ({ json: 'string' })),
  featuresDict: message(() => ({ features: { map: message(() => featureMessage) } })),
  tensor: message(() => ({
    ...{ shape, dtype: 'string', encoding: 'string', minimum: 'any', maximum: 'any', optional: 'boolean' },
  })),
  classLabel,
  image: message(() => ({ ...picture, label: classLabel })),
  video: message(() => ({ ...picture, ffmpegExtraArgs: strings })),
  audio: message(() => ({
    ...{ shape, dtype: 'string', fileFormat: 'string', encoding: 'string' },
    ...{ sampleRate: 'integer', lazyDecode: 'boolean' },
  })),
  boundingBox: message(() => ({ shape, dtype: 'string', bboxFormat: 'string' })),
  text: message(() => ({})),
  translation: message(() => ({ languages: strings, variableLanguagesPerExample: strings })),
  sequence: message(() => ({ feature: message(() => featureMessage), length: 'integer' })),
};

/** `DatasetInfo` in dataset_info.proto of TFDS 4.9.10; statistics and schema are not checked. */
export const datasetInfoMessage: Message = {
  ...{ name: 'string', description: 'string', version: 'string', releaseNotes: texts },
  ...{ configName: 'string', configDescription: 'string', configTags: strings, citation: 'string' },
  ...{ sizeInBytes: 'integer', downloadSize: 'integer', downloadChecksums: texts, schema: 'any' },
  features: message(() => featureMessage),
  location: message(() => ({ urls: strings })),
  splits: {
    list: message(() => ({
      ...{ name: 'string', numShards: 'integer', shardLengths: { list: 'integer' }, numBytes: 'integer' },
      ...{ statistics: 'any', filepathTemplate: 'string' },
    })),
  },
  supervisedKeys: 'any',
  redistributionInfo: message(() => ({ license: 'string' })),
  ...{ moduleName: 'string', disableShuffling: 'boolean', fileFormat: 'string' },
  ...{ alternativeFileFormats: strings, dataSourceAccesses: 'any', isBlocked: 'string' },
  nondeterministicOrder: 'boolean',
};

const maxBytes = 16 * 1024 * 1024;

/**
 * Returns the JSON value of a TFDS metadata file, read tolerantly, and in `refused` why protobuf would not load it;
 * throws `unreadable_input` if it is not JSON.
 * @param options `uniqueKeys`: TFDS refuses the file if a key is repeated
 */
export async function readProtoJson(
  tree: SourceTree,
  path: string,
  fields: Message,
  { uniqueKeys }: { readonly uniqueKeys: boolean },
): Promise<ProtoJson> {
  const bytes = await tree.read(path, maxBytes);
  // Protobuf takes NaN and Infinity as strings only, so that each deviation from JSON is refused.
  const { value, oddities } = parseTolerantJson(bytes, path);
  if (oddities.length > 0) return { value, refused: oddities };
  const twice = uniqueKeys ? findRepeatedKey(new TextDecoder().decode(bytes)) : null;
  const problem =
    twice === null
      ? findProblem(
          value,
          message(() => fields),
          '',
        )
      : `the key ${twice} twice`;
  return { value, refused: problem === null ? [] : [problem] };
}

/** Returns the first value that protobuf refuses, in words; null if there is none. */
function findProblem(value: JsonValue, type: FieldType, path: string): string | null {
  if (type === 'any') return null;
  const wrong = `a wrong value of ${path === '' ? 'the document' : path}`;
  if (typeof type === 'string') return isScalar(value, type) ? null : wrong;
  if ('list' in type) {
    if (!Array.isArray(value)) return wrong;
    return firstProblem(value.entries(), (item, at) => findProblem(item, type.list, `${path}[${at}]`));
  }
  if (!isObject(value)) return wrong;
  if ('map' in type)
    return firstProblem(Object.entries(value), (item, key) => findProblem(item, type.map, `${path}.${key}`));
  const fields = type.message();
  return firstProblem(Object.entries(value), (item, key) => {
    const name = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const below = path === '' ? key : `${path}.${key}`;
    if (!Object.hasOwn(fields, name)) return `the unknown field ${below}`;
    return item === null ? null : findProblem(item, fields[name], below);
  });
}

function firstProblem<Key>(
  entries: Iterable<readonly [Key, JsonValue | undefined]>,
  check: (value: JsonValue, key: Key) => string | null,
): string | null {
  for (const [key, value] of entries) {
    const problem = value === undefined ? null : check(value, key);
    if (problem !== null) return problem;
  }
  return null;
}

function isScalar(value: JsonValue, type: 'string' | 'integer' | 'boolean'): boolean {
  if (type !== 'integer') return typeof value === type;
  const isText = typeof value === 'string' && /^-?\d{1,19}$/.test(value);
  return isText || (Number.isInteger(value) && Math.abs(Number(value)) <= 2 ** 63);
}

/** Returns the first key that an object of valid JSON holds twice; null if there is none. */
function findRepeatedKey(text: string): string | null {
  const objects: (Set<string> | null)[] = [];
  for (const [token, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[[\]{}]/gs)) {
    if (token === '{') objects.push(new Set());
    else if (token === '[') objects.push(null);
    else if (token === '}' || token === ']') objects.pop();
    else if (colon !== undefined) {
      const key: string = JSON.parse(token.slice(0, token.lastIndexOf('"') + 1));
      const keys = objects.at(-1);
      if (keys?.has(key)) return JSON.stringify(key);
      keys?.add(key);
    }
  }
  return null;
}

/** Returns true if a JSON value is an object (no array). */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
