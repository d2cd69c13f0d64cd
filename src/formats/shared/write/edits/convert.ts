import { AssayError, type JsonObject, type JsonValue } from '#core';
import type { EditedFeature, ExportEdit } from './export-edit.ts';
import { namedFeature, pairOf } from './named-feature.ts';

const takes = 'FEATURE[NAMES]=FROM:TO (deg:rad, rad:deg, mm:m, m:mm, cm:m, m:cm)';

/** What a value is multiplied by. */
const factors: Readonly<Record<string, number>> = {
  'deg:rad': Math.PI / 180,
  'rad:deg': 180 / Math.PI,
  'mm:m': 1e-3,
  'm:mm': 1e3,
  'cm:m': 1e-2,
  'm:cm': 1e2,
};

interface Conversion {
  readonly feature: string;
  /** Names of the dimensions; null: all. */
  readonly names: readonly string[] | null;
  readonly units: string;
}

/** `--convert observation.state=deg:rad`, or of some of its dimensions, by name. */
export const convert: ExportEdit = {
  id: 'convert',
  takes,
  about: 'turns the values of a feature, or of the dimensions that are named, into another unit',
  read: (texts) => {
    const all = texts.map(conversionOf);
    return {
      lineage: {
        edit: 'convert',
        features: all.map(({ feature, names, units }) => ({
          feature,
          names: names === null ? null : [...names],
          units,
        })),
      },
      features: (features) => all.reduce(converted, features),
    };
  },
};

function conversionOf(text: string): Conversion {
  const [target, units] = pairOf(text, '--convert', takes);
  const match = /^([^[\]]+)(?:\[([^[\]]+)\])?$/.exec(target);
  if (match === null || !Object.hasOwn(factors, units))
    throw new AssayError('usage', `--convert takes ${takes}, not ${text}`, {});
  return { feature: match[1], names: match[2]?.split(',').map((name) => name.trim()) ?? null, units };
}

function converted(
  features: readonly EditedFeature[],
  { feature, names, units }: Conversion,
): EditedFeature[] {
  const own = namedFeature(features, feature, '--convert');
  const known = namesOf(own.declaration);
  const { dtype, shape } = own.declaration;
  if (!/^float\d+$/.test(String(dtype)) || !Array.isArray(shape) || shape.length !== 1)
    throw new AssayError(
      'usage',
      `--convert: ${feature} is no vector of fractions (${dtype} ${JSON.stringify(shape)})`,
      {},
    );
  const dims =
    names === null
      ? Array.from({ length: Number(shape[0]) }, (_, dim) => dim)
      : names.map((name) => known.indexOf(name));
  if (dims.includes(-1))
    throw new AssayError('usage', `--convert: ${feature} has no dimension ${names?.[dims.indexOf(-1)]}`, {
      advice: known.length === 0 ? 'the set names none of its dimensions' : `it has ${known.join(', ')}`,
    });
  const factor = { dims, by: factors[units], unit: units.split(':')[1] };
  return features.map((one) => (one === own ? { ...one, factors: [...one.factors, factor] } : one));
}

/** Names of the dimensions: a list, or lists under other names such as `{"motors": [..]}`. */
function namesOf({ names }: JsonObject): string[] {
  const texts = (value: JsonValue | undefined): string[] =>
    typeof value === 'string'
      ? [value]
      : typeof value === 'object' && value !== null
        ? Object.values(value).flatMap(texts)
        : [];
  return texts(names);
}
