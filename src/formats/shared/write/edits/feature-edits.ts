import { AssayError, type JsonObject, type JsonValue } from '#core';
import {
  assertUnique,
  type EditedFeature,
  type ExportEdit,
  parsePair,
  requireFeature,
} from './export-edit.ts';

/** Edit `--drop observation.effort`: leaves out a feature. */
export const drop: ExportEdit = {
  id: 'drop',
  takes: 'FEATURE',
  about: 'removes a feature: a column, or a camera with its videos',
  read: (texts) => ({
    lineage: { edit: 'drop', features: [...texts] },
    named: texts,
    features: (features) => {
      const dropped = new Set(texts.map((text) => requireFeature(features, text, '--drop')));
      return features.filter((one) => !dropped.has(one));
    },
  }),
};

const renameSyntax = 'OLD=NEW';

/** Edit `--rename observation.images.cam=observation.images.top`: renames a feature. */
export const rename: ExportEdit = {
  id: 'rename',
  takes: renameSyntax,
  about: 'renames a feature',
  read: (texts) => {
    const pairs = texts.map((text) => parsePair(text, '--rename', renameSyntax));
    assertUnique(
      pairs.map(([from]) => from),
      '--rename',
    );
    for (const [, to] of pairs)
      if (!/^[\w.-]+$/.test(to))
        throw new AssayError('usage', `--rename: ${to} is not a valid feature name`, {
          advice: 'use letters, digits, dots, dashes and underscores',
        });
    return {
      lineage: { edit: 'rename', names: Object.fromEntries(pairs) },
      named: pairs.map(([from]) => from),
      features: (all) => renamed(all, pairs),
    };
  },
};

function renamed(features: readonly EditedFeature[], pairs: readonly (readonly [string, string])[]) {
  const names = new Map(pairs.map(([from, to]) => [requireFeature(features, from, '--rename'), to]));
  const edited = features.map((one) => ({ ...one, key: names.get(one) ?? one.key }));
  assertUnique(
    edited.map(({ key }) => key),
    '--rename',
  );
  return edited;
}

const conversionSyntax = 'FEATURE[NAMES]=FROM:TO (deg:rad, rad:deg, mm:m, m:mm, cm:m, m:cm)';

/** Conversion factors by unit pair. */
const unitFactors: Readonly<Record<string, number>> = {
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
  if (match === null || !Object.hasOwn(unitFactors, units))
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
  const factor = { dims, by: unitFactors[units], unit: units.split(':')[1] };
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
