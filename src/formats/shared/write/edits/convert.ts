import { AssayError, type JsonObject, type JsonValue } from '#core';
import { type EditedFeature, type ExportEdit, parsePair, requireFeature } from './export-edit.ts';

const conversionSyntax = 'FEATURE[NAMES]=FROM:TO (deg:rad, rad:deg, mm:m, m:mm, cm:m, m:cm)';

/** Conversion factors by unit pair. */
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
  /** Names of the dimensions; `null` for all. */
  readonly names: readonly string[] | null;
  readonly units: string;
}

/** Edit `--convert observation.state=deg:rad`: converts units of a feature, or of named dimensions. */
export const convert: ExportEdit = {
  id: 'convert',
  takes: conversionSyntax,
  about: 'converts a feature, or the given dimensions of it, to another unit',
  read: (texts) => {
    const all = texts.map(parseConversion);
    return {
      lineage: {
        edit: 'convert',
        features: all.map(({ feature, names, units }) => ({
          feature,
          names: names === null ? null : [...names],
          units,
        })),
      },
      named: all.map(({ feature }) => feature),
      features: (features) => all.reduce(applyConversion, features),
    };
  },
};

function parseConversion(text: string): Conversion {
  const [target, units] = parsePair(text, '--convert', conversionSyntax);
  const match = /^([^[\]]+)(?:\[([^[\]]+)\])?$/.exec(target);
  if (match === null || !Object.hasOwn(factors, units))
    throw new AssayError('usage', `--convert requires ${conversionSyntax}, got ${text}`, {});
  return { feature: match[1], names: match[2]?.split(',').map((name) => name.trim()) ?? null, units };
}

function applyConversion(
  features: readonly EditedFeature[],
  { feature, names, units }: Conversion,
): EditedFeature[] {
  const converted = requireFeature(features, feature, '--convert');
  const knownNames = dimensionNames(converted.declaration);
  const { dtype, shape } = converted.declaration;
  if (!/^float\d+$/.test(String(dtype)) || !Array.isArray(shape) || shape.length !== 1)
    throw new AssayError(
      'usage',
      `--convert: ${feature} is not a floating-point vector (${dtype} ${JSON.stringify(shape)})`,
      {},
    );
  const dims =
    names === null
      ? Array.from({ length: Number(shape[0]) }, (_, dim) => dim)
      : names.map((name) => knownNames.indexOf(name));
  if (dims.includes(-1))
    throw new AssayError('usage', `--convert: ${feature} has no dimension ${names?.[dims.indexOf(-1)]}`, {
      advice:
        knownNames.length === 0
          ? 'the dataset has no names for its dimensions'
          : `available dimensions: ${knownNames.join(', ')}`,
    });
  const factor = { dims, by: factors[units], unit: units.split(':')[1] };
  return features.map((one) => (one === converted ? { ...one, factors: [...one.factors, factor] } : one));
}

/** Returns the dimension names of a feature: a list, or nested lists such as `{"motors": [..]}`. */
function dimensionNames({ names }: JsonObject): string[] {
  const texts = (value: JsonValue | undefined): string[] =>
    typeof value === 'string'
      ? [value]
      : typeof value === 'object' && value !== null
        ? Object.values(value).flatMap(texts)
        : [];
  return texts(names);
}
