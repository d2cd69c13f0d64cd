import { z } from 'zod';
import { type StreamRole, streamRoles } from '#core/episode';
import { checkedDocument } from '../shared/text/checked-document.ts';

const text = z.string().min(1).max(500);
/** A path relative to the mapping file; `*` stands for any letters of a name. */
const pathPattern = text
  .refine((path) => !path.startsWith('/') && !path.split('/').includes('..'), {
    error: 'give a path below the folder of the mapping file',
  })
  .refine((path) => (path.match(/\{/g) ?? []).length <= 1, { error: 'name {episode} once' });
const episodePattern = pathPattern.refine((path) => /\{episode(:0?\d{1,2}d?)?\}/.test(path), {
  error: 'name where the episode stands, for example data/{episode}.csv',
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
  /** `unix`: counted from 1970, so that recordings can be laid beside each other. */
  epoch: z.enum(['unix', 'none']).default('none'),
  provenance: z.enum(['hardware', 'header', 'publish', 'log', 'synthesised']).optional(),
});

const gripperSchema = z.strictObject({
  column: text,
  /** The value that means open; null: nobody knows. */
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
  /** `rows`: a frame for each row of the table, at its time. `own`: as the video's own stamps say. */
  frames: z.enum(['rows', 'own']).default('own'),
  /** When its first frame was taken, after the first row. */
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
      const say = (member: string, message: string) =>
        context.addIssue({ code: 'custom', message, path: ['streams', at, member] });
      if (ids.has(stream.id)) say('id', `another stream is called ${stream.id}: choose another`);
      ids.add(stream.id);
      if (stream.clock !== undefined && !clocks.has(stream.clock))
        say('clock', `no clock is read from ${stream.clock}: list it under clocks`);
      if (stream.names !== undefined && stream.columns.every((name) => !name.includes('*'))) {
        const count = stream.columns.length;
        if (count > 1 && stream.names.length !== count)
          say('names', `${stream.names.length} names for ${count} columns: give one each`);
      }
    });
    mapping.videos.forEach(({ id }, at) => {
      if (ids.has(id))
        context.addIssue({
          code: 'custom',
          message: `another stream is called ${id}: choose another`,
          path: ['videos', at, 'id'],
        });
      ids.add(id);
    });
  });

export type Mapping = z.output<typeof mappingSchema>;
export type ClockMapping = Mapping['clocks'][number];
export type StreamMapping = Mapping['streams'][number];
export type VideoMapping = Mapping['videos'][number];

/** Reads a mapping file. Throws `unreadable_input`, naming line and path of what does not fit. */
export function parseMapping(text: string, path: string): Mapping {
  return checkedDocument(text, mappingSchema, {
    path,
    what: 'mapping of signals',
    code: 'unreadable_input',
    advice:
      'correct the lines named; `assay map init` shows what a mapping looks like, docs/mapping.md has each setting',
  });
}
