import { z } from 'zod';
import { type StreamRole, streamRoles } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { parseValidatedDocument } from '../shared/text/checked-document.ts';

const episodeSlot = /\{episode(?::0?(\d{1,2})d?)?\}/;

/** Returns the files that match a pattern such as `data/{episode}.csv` by episode, in the order of the listing. */
export function matchEpisodes(tree: SourceTree, pattern: string): Map<string, string[]> {
  const { before, after } = splitPattern(pattern);
  const expression = new RegExp(`^${escapeLiteral(before)}(?<episode>[^/]+)${escapeLiteral(after)}$`);
  const found = new Map<string, string[]>();
  for (const { path } of tree.files) {
    const episode = expression.exec(path)?.groups?.episode;
    if (episode === undefined) continue;
    const paths = found.get(episode);
    if (paths === undefined) found.set(episode, [path]);
    else paths.push(path);
  }
  return found;
}

/** Returns the path that a pattern yields for an episode, and whether it exists. `*` is matched against the listing. */
export function findFile(
  tree: SourceTree,
  pattern: string,
  episode: string,
): { path: string; exists: boolean } {
  const digits = episodeSlot.exec(pattern)?.[1];
  const name =
    digits === undefined || !/^\d+$/.test(episode) ? episode : episode.padStart(Number(digits), '0');
  const path = pattern.replace(episodeSlot, () => name);
  if (!path.includes('*')) return { path, exists: tree.has(path) };
  const expression = new RegExp(`^${escapeLiteral(path)}$`);
  const found = tree.files.find((file) => expression.test(file.path));
  return found === undefined ? { path, exists: false } : { path: found.path, exists: true };
}

function splitPattern(pattern: string): { before: string; after: string } {
  const found = episodeSlot.exec(pattern);
  if (found === null) return { before: pattern, after: '' };
  return { before: pattern.slice(0, found.index), after: pattern.slice(found.index + found[0].length) };
}

function escapeLiteral(text: string): string {
  return text.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*');
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
const columns = z.array(text).min(1).max(10_000);
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
});

const videoSchema = z.strictObject({
  id: text,
  role: z.enum(['camera', 'depth']).default('camera'),
  files: pathPattern,
  /** `rows`: one frame per row of the table, at its time. `own`: by the video's own timestamps. */
  frames: z.enum(['rows', 'own']).default('own'),
  /** Seconds from the first row to the first frame. */
  starts_at_s: z.number().optional(),
});

const mappingSchema = z
  .strictObject({
    assay_map: z.literal(1, { error: 'this version reads assay_map: 1' }),
    episodes: z.union([
      z.strictObject({ files: episodePattern }),
      z.strictObject({ file: pathPattern, column: text.optional() }),
    ]),
    csv: z
      .strictObject({
        delimiter: z.enum([',', ';', '\t', '|', ' ']).optional(),
        decimal: z.enum(['.', ',']).default('.'),
      })
      .optional(),
    clocks: z.array(clockSchema).max(20).default([]),
    rate_hz: z.number().positive().max(1e6).optional(),
    streams: z.array(streamSchema).min(1).max(1000),
    videos: z.array(videoSchema).max(100).default([]),
    task: z
      .union([text, z.strictObject({ column: text }), z.strictObject({ files: episodePattern })])
      .optional(),
    outcome: z
      .strictObject({ column: text, success: scalar.optional(), failure: scalar.optional() })
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
export type VideoMapping = Mapping['videos'][number];

/**
 * Parses a mapping file.
 * @throws AssayError `unreadable_input` with line and path of each invalid setting
 */
export function parseMapping(text: string, path: string): Mapping {
  return parseValidatedDocument(text, mappingSchema, {
    path,
    what: 'signal mapping',
    code: 'unreadable_input',
    advice:
      'correct these lines; `assay map init` writes an example, and docs/mapping.md describes each setting',
  });
}
