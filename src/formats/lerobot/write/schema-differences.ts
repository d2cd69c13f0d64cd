import { canonicalJson, type JsonObject, type JsonValue } from '#core';
import type { SetInfo } from './set-info.ts';

/** What keeps sets from being one, in words: rate, robot, and of these features type, shape and names of dimensions. */
export function schemaDifferences(sets: readonly SetInfo[], features: readonly string[]): string[] {
  const [first] = sets;
  return sets.slice(1).flatMap((other) => {
    const said = (what: string, a: JsonValue | undefined, b: JsonValue | undefined) =>
      same(a, b) ? [] : [`${what} is ${inWords(a)} in ${first.name} and ${inWords(b)} in ${other.name}`];
    return [
      ...said('fps', first.rate_hz, other.rate_hz),
      ...said('robot_type', first.info.robot_type, other.info.robot_type),
      ...features.flatMap((key) => featureDifferences(key, first, other, said)),
    ];
  });
}

type Said = (what: string, a: JsonValue | undefined, b: JsonValue | undefined) => string[];

function featureDifferences(key: string, first: SetInfo, other: SetInfo, said: Said): string[] {
  const [a, b] = [first.features[key], other.features[key]];
  if (a === undefined && b === undefined) return [];
  if (a === undefined) return [`${other.name} has ${key} and ${first.name} has not`];
  if (b === undefined) return [`${first.name} has ${key} and ${other.name} has not`];
  return [
    ...said(`dtype of ${key}`, a.dtype, b.dtype),
    ...said(`shape of ${key}`, a.shape, b.shape),
    // Of pictures these are words for height, width and channels, which every recorder spells in its way.
    ...(isPicture(a) ? [] : said(`names of ${key}`, a.names, b.names)),
  ];
}

const isPicture = ({ dtype }: JsonObject) => dtype === 'video' || dtype === 'image';
const same = (a: JsonValue | undefined, b: JsonValue | undefined) =>
  canonicalJson(a ?? null) === canonicalJson(b ?? null);
const inWords = (value: JsonValue | undefined) =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null);
