import { AssayError, canonicalJson, type JsonObject, type JsonValue } from '#core';
import type { EditedFeature, EditStep } from '../../shared/write/edits/export-edit.ts';
import { planFeatures } from '../../shared/write/edits/plan-edits.ts';
import type { KeptEpisode } from './kept-episode.ts';
import type { SetInfo } from './set-info.ts';

/** What info.json says that a copy goes by, and what becomes of it. */
export interface SetFeatures {
  readonly rate_hz: number;
  /** Every feature of the new set. */
  readonly all: readonly EditedFeature[];
  /** Those whose frames lie in video files. */
  readonly cameras: readonly EditedFeature[];
  /** Names that the sources declare. */
  readonly declared: ReadonlySet<string>;
  /** `features` of the new set's info.json. */
  readonly declaration: JsonObject;
  /** Cameras that the set declares and no kept episode has: the copy does not declare them. */
  readonly absent: readonly string[];
}

/**
 * Features of one set, or of several that become one. `episodes`: null where they are not known yet. Throws `usage` where
 * an edit names a feature that the sets lack, or the sets differ in what is left; `unreadable_input` where one of the
 * episodes lacks a camera.
 */
export function setFeatures(
  sets: readonly SetInfo[],
  episodes: readonly KeptEpisode[] | null,
  edits: readonly EditStep[],
): SetFeatures {
  const declared = declaredBy(sets);
  const absent = declared
    .filter(([key, feature]) => isCamera(feature) && episodes?.some((one) => has(one, key)) === false)
    .map(([key]) => key);
  const all = planFeatures(edits, untouched(declared.filter(([key]) => !absent.includes(key))));
  demandAlike(sets, all);
  const cameras = all.filter(({ declaration }) => isCamera(declaration));
  for (const { source } of cameras) {
    const lacking = episodes?.find((episode) => !has(episode, source));
    if (lacking !== undefined) throw incomplete(lacking.id, source);
  }
  const declaration = Object.fromEntries(all.map(({ key, declaration }) => [key, declaration]));
  return {
    rate_hz: sets[0].rate_hz,
    all,
    cameras,
    declared: new Set(declared.map(([key]) => key)),
    declaration,
    absent,
  };
}

/** Throws `usage` with every difference. */
function demandAlike(sets: readonly SetInfo[], features: readonly EditedFeature[]): void {
  const differences = schemaDifferences(
    sets,
    features.map(({ source }) => source),
  );
  if (differences.length === 0) return;
  throw new AssayError(
    'usage',
    `the sets cannot become one:\n${differences.map((one) => `  ${one}`).join('\n')}`,
    {
      advice:
        'name features alike with --map SET:FEATURE=NAME, leave one out with --drop, or export each with the same --rate, --convert and --size first',
    },
  );
}

/** As the first set that has a feature says; of video only what all say alike. */
function declaredBy(sets: readonly SetInfo[]): (readonly [string, JsonObject])[] {
  const keys = new Set(sets.flatMap(({ features }) => Object.keys(features)));
  return [...keys].map((key) => {
    const all = sets.map(({ features }) => features[key]).filter((feature) => feature !== undefined);
    return [key, all.slice(1).reduce(withSharedInfo, all[0])];
  });
}

function withSharedInfo(feature: JsonObject, other: JsonObject): JsonObject {
  const [info, theirs] = [feature.info, other.info];
  if (!isObject(info)) return feature;
  const shared = Object.entries(info).filter(
    ([key, value]) => isObject(theirs) && canonicalJson(theirs[key] ?? null) === canonicalJson(value),
  );
  return { ...feature, info: Object.fromEntries(shared) };
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCamera = ({ dtype }: JsonObject) => dtype === 'video';
const counting = { dtype: 'int64', shape: [1], names: null };

/** With the columns that count, where the source leaves one out. */
function untouched(declared: readonly (readonly [string, JsonObject])[]): EditedFeature[] {
  const counts = ['frame_index', 'episode_index', 'index', 'task_index'].map(
    (key) => [key, counting] as const,
  );
  return [...new Map<string, JsonObject>([...counts, ...declared])].map(([key, declaration]) => ({
    key,
    source: key,
    declaration,
    shift: 0,
    factors: [],
  }));
}

const has = ({ videos }: KeptEpisode, camera: string) => videos.some(({ key }) => key === camera);

function incomplete(episode: string, camera: string): AssayError {
  return new AssayError(
    'unreadable_input',
    `${episode} has no video of ${camera}, which other kept episodes have`,
    {
      advice: `leave it out with --without ${episode}`,
    },
  );
}

/** What keeps sets from being one, in words: rate, robot, and of these features type, shape and names of dimensions. */
function schemaDifferences(sets: readonly SetInfo[], features: readonly string[]): string[] {
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
