import { z } from 'zod';
import { type StreamRole, streamRoles, type UnitOfMeasure } from '#core/episode';
import type { SourceTree } from '#io/sources';
import type { TopicMapping } from '../shared/messages/mapped-topics.ts';
import { parseValidatedDocument } from '../shared/text/checked-document.ts';
import { compareNames, episodeSlot, PathPattern } from './path-pattern.ts';

/** Returns the files that match a pattern such as `data/{episode}.csv` by episode, in the order of the listing. */
export function matchEpisodes(tree: SourceTree, pattern: string): Map<string, string[]> {
  const paths = new PathPattern(pattern);
  const found = new Map<string, string[]>();
  for (const { path } of tree.files) addTo(found, paths.match(path), path);
  return found;
}

/** Returns the folders that match a pattern such as `run_{episode}` by episode, in the order of the listing. */
export function matchFolders(tree: SourceTree, pattern: string): Map<string, string[]> {
  const folders = new PathPattern(pattern);
  const seen = new Set<string>();
  const found = new Map<string, string[]>();
  for (const { path } of tree.files) {
    const parts = path.split('/');
    const folder = parts.slice(0, folders.depth).join('/');
    if (parts.length <= folders.depth || seen.has(folder)) continue;
    seen.add(folder);
    addTo(found, folders.match(folder), folder);
  }
  return found;
}

function addTo(found: Map<string, string[]>, episode: string | null, path: string): void {
  if (episode === null) return;
  const paths = found.get(episode);
  if (paths === undefined) found.set(episode, [path]);
  else paths.push(path);
}

/**
 * Returns the path that a pattern yields for an episode (with `*`, the first file that matches), and whether it exists.
 */
export function findFile(
  tree: SourceTree,
  pattern: string,
  episode: string,
): { path: string; exists: boolean } {
  const path = insertEpisode(pattern, episode);
  if (!path.includes('*')) return { path, exists: tree.has(path) };
  const paths = new PathPattern(path);
  const found = filesBelow(tree, path).find((file) => paths.match(file) !== null);
  return found === undefined ? { path, exists: false } : { path: found, exists: true };
}

/**
 * Returns all files that a pattern yields for an episode, in the order of the numbers in their names; empty if there
 * are none.
 */
export function findFiles(tree: SourceTree, pattern: string, episode: string): string[] {
  const path = insertEpisode(pattern, episode);
  const paths = new PathPattern(path);
  return filesBelow(tree, path)
    .filter((file) => paths.match(file) !== null)
    .sort(compareNames);
}

/** Returns the files below the folder that a pattern names before its first star, so that not all are compared. */
function filesBelow(tree: SourceTree, pattern: string): string[] {
  const folder = pattern.slice(0, Math.max(0, pattern.lastIndexOf('/', pattern.indexOf('*'))));
  if (folder === '' || !pattern.includes('*')) return tree.files.map(({ path }) => path);
  return tree.subtree(folder).files.map(({ path }) => `${folder}/${path}`);
}

function insertEpisode(pattern: string, episode: string): string {
  const digits = episodeSlot.exec(pattern)?.[1];
  const name =
    digits === undefined || !/^\d+$/.test(episode) ? episode : episode.padStart(Number(digits), '0');
  return pattern.replace(episodeSlot, () => name);
}

const text = z.string().min(1).max(500);
/** A path relative to the mapping file; `*` stands for any characters of a name. */
const pathPattern = text
  .refine((path) => !path.startsWith('/') && !path.split('/').includes('..'), {
    error: 'use a path inside the folder of the mapping file',
  })
  .refine((path) => (path.match(/\{/g) ?? []).length <= 1, { error: 'use {episode} only once' });
const episodePattern = pathPattern.refine((path) => /\{episode(:0?\d{1,2}d?)?\}/.test(path), {
  error: 'mark the position of the episode name with {episode}, for example data/{episode}.csv',
});
const withoutSlash = (path: string): string => path.replace(/(?<=[^/])\/+$/, '');
/** A folder; `.` is the folder of the mapping file. */
const folderPath = pathPattern.transform(withoutSlash);
/** A group of an HDF5 or NPZ file or of a zarr; `{episode}` or `*` marks the part of its path that differs between episodes. */
const groupPattern = text.refine((path) => (path.match(/\{episode\}|\*/g) ?? []).length <= 1, {
  error: 'mark the position of the episode name once, with {episode}, for example data/demo_{episode}',
});
const columns = z.array(text).min(1).max(10_000);
/** A value of the whole file: a member of a JSON document, or a scalar array or attribute (`group@name`) of an HDF5 file. */
const filePath = z.strictObject({ path: text });
const scalar = z.union([z.string(), z.number(), z.boolean()]);

const numericRoles = streamRoles.filter((role) => role !== 'camera' && role !== 'depth') as [
  StreamRole,
  ...StreamRole[],
];

const clockSchema = z.strictObject({
  column: text,
  unit: z.enum(['s', 'ms', 'us', 'ns', 'iso8601']),
  /** `unix`: counted from 1970, so recordings can be aligned with each other. */
  epoch: z.enum(['unix', 'none']).default('none'),
  provenance: z.enum(['hardware', 'header', 'publish', 'log', 'synthesised']).optional(),
});

const gripperSchema = z.strictObject({
  column: text,
  /** Value at which the gripper is open; `null` if unknown. */
  open_value: z.number().nullable(),
  unit: text.optional(),
});

const streamSchema = z.strictObject({
  id: text,
  role: z.enum(numericRoles),
  columns,
  names: columns.optional(),
  unit: text.optional(),
  clock: text.optional(),
  rate_hz: z.number().positive().optional(),
  grippers: z.array(gripperSchema).max(100).default([]),
  /** True if episodes may lack the stream: columns that are absent or empty are no fault. */
  optional: z.boolean().optional(),
});

const cameraSettings = { id: text, role: z.enum(['camera', 'depth']).default('camera') };

/** A camera whose pictures are a column: paths of picture files, or pictures in an array of the file. */
const pictureColumnSchema = z.strictObject({
  ...cameraSettings,
  column: text,
  /** Order of the colours of raw pixels; encoded pictures do not need it. */
  colours: z.enum(['rgb', 'bgr']).default('rgb'),
  optional: z.boolean().optional(),
});

const videoFileSchema = z.strictObject({
  ...cameraSettings,
  files: pathPattern,
  /** `rows`: one frame per row of the table, at its time. `own`: by the video's own timestamps. */
  frames: z.enum(['rows', 'own']).default('own'),
  /** Seconds from the first row to the first frame. */
  starts_at_s: z.number().optional(),
});

const outcomeValues = { success: scalar.optional(), failure: scalar.optional() };

const version = z.literal(1, { error: 'must be 1, the supported version' });

/** A mapping of topics of MCAP files and bags: streams as of tables, whose columns are fields of the topic's messages. */
const topicMappingSchema = z.strictObject({
  assay_map: version,
  streams: z
    .array(streamSchema.omit({ clock: true, rate_hz: true, grippers: true }).extend({ topic: text }))
    .min(1)
    .max(1000)
    .refine((streams) => new Set(streams.map(({ id }) => id)).size === streams.length, {
      error: 'give every stream a unique id',
    }),
});

const mappingSchema = z
  .strictObject({
    assay_map: version,
    episodes: z.union([
      z.strictObject({ files: episodePattern, group: groupPattern.optional() }),
      z.strictObject({ file: pathPattern, group: groupPattern }),
      z.strictObject({ file: pathPattern, column: text.optional() }),
      z.strictObject({ folders: episodePattern.transform(withoutSlash), steps: pathPattern.optional() }),
      z.strictObject({ folder: folderPath, steps: pathPattern.optional() }),
      z.strictObject({ folders: episodePattern.transform(withoutSlash), group: groupPattern }),
      z.strictObject({ folder: folderPath, group: groupPattern }),
      z.strictObject({ folder: folderPath, column: text }),
    ]),
    /** Path of the list of records in a JSON document, such as `data`; absent for a list or JSON Lines. */
    rows: text.optional(),
    csv: z
      .strictObject({
        delimiter: z.enum([',', ';', '\t', '|', ' ']).optional(),
        decimal: z.enum(['.', ',']).default('.'),
      })
      .optional(),
    clocks: z.array(clockSchema).max(20).default([]),
    rate_hz: z.union([z.number().positive().max(1e6), filePath]).optional(),
    streams: z.array(streamSchema).min(1).max(1000),
    videos: z
      .array(z.union([pictureColumnSchema, videoFileSchema]))
      .max(100)
      .default([]),
    task: z
      .union([text, z.strictObject({ column: text }), z.strictObject({ files: episodePattern }), filePath])
      .optional(),
    outcome: z
      .union([
        z.strictObject({ column: text, ...outcomeValues }),
        z.strictObject({ path: text, ...outcomeValues }),
      ])
      .optional(),
    robot: text.optional(),
  })
  .superRefine((mapping, context) => {
    const clocks = new Set(mapping.clocks.map(({ column }) => column));
    const ids = new Set<string>();
    mapping.streams.forEach((stream, at) => {
      const addIssue = (member: string, message: string) =>
        context.addIssue({ code: 'custom', message, path: ['streams', at, member] });
      if (ids.has(stream.id)) addIssue('id', `duplicate stream id ${stream.id}: choose another`);
      ids.add(stream.id);
      if (stream.clock !== undefined && !clocks.has(stream.clock))
        addIssue('clock', `undeclared clock ${stream.clock}: add it to clocks`);
      if (stream.names !== undefined && stream.columns.every((name) => !name.includes('*'))) {
        const count = stream.columns.length;
        if (count > 1 && stream.names.length !== count)
          addIssue('names', `${stream.names.length} names for ${count} columns: give one name per column`);
      }
    });
    mapping.videos.forEach(({ id }, at) => {
      if (ids.has(id))
        context.addIssue({
          code: 'custom',
          message: `duplicate stream id ${id}: choose another`,
          path: ['videos', at, 'id'],
        });
      ids.add(id);
    });
  });

/** A validated mapping file. */
export type Mapping = z.output<typeof mappingSchema>;
export type ClockMapping = Mapping['clocks'][number];
export type StreamMapping = Mapping['streams'][number];
/** A camera whose pictures are a column of the table. */
export type PictureColumn = z.output<typeof pictureColumnSchema>;
/** A camera whose frames are in video files beside the table. */
export type VideoFile = z.output<typeof videoFileSchema>;

/**
 * Parses a mapping file that takes streams from topics; throws `unreadable_input` with line and path of each invalid
 * setting.
 */
export function parseTopicMapping(text: string, path: string): TopicMapping {
  const { streams } = parseValidatedDocument(text, topicMappingSchema, {
    path,
    what: 'mapping of topics',
    code: 'unreadable_input',
    advice:
      'correct these lines; a mapping of tables needs episodes, one of topics a topic for each stream (docs/mapping.md)',
  });
  return {
    path,
    streams: streams.map(({ id, topic, columns: fields, role, names, unit, optional }) => ({
      ...{ id, topic, fields, role, names: names ?? null, optional: optional === true },
      unit: declaredUnit(unit, path),
    })),
  };
}

/** Returns the unit that a mapping declares, with the reason; `unknown` for undefined. */
export function declaredUnit(unit: string | undefined, path: string): UnitOfMeasure {
  return unit === undefined
    ? { unit: 'unknown', evidence: 'unknown', reason: `${path} declares no unit` }
    : { unit, evidence: 'declared', reason: `${path} declares the unit` };
}

/** Parses a mapping file of tables; throws `unreadable_input` with line and path of each invalid setting. */
export function parseMapping(text: string, path: string): Mapping {
  return parseValidatedDocument(text, mappingSchema, {
    path,
    what: 'signal mapping',
    code: 'unreadable_input',
    advice:
      'correct these lines; `assay map init` writes an example, and docs/mapping.md describes each setting',
  });
}
