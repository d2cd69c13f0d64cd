import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { AssayError, type JsonValue, wrapReadError } from '#core';
import { exportFormatIds } from '#core/api';
import {
  type AssessmentResult,
  assess,
  type EpisodeVerdict,
  requireWritable,
  worstFirst,
} from '#engine/local';
import { descriptors } from '#quality/search';
import { bridgeStdio, type Offer, type OfferedTool, serveStdio } from '#service/mcp/stdio';
import { assessOptionsOf } from '../../assess-options.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { requireLocalPath } from '../../require-local-path.ts';
import { findEndpoint, noServiceError, type ServiceArguments } from '../../service-client.ts';
import { version } from '../../version.ts';
import { withRecordings } from '../../with-recordings.ts';
import { exportCommand } from '../curation/export.ts';
import { searchCommand } from '../curation/search.ts';
import { inspectCommand } from '../recordings/inspect.ts';
import { defineFolderTool, type FolderContext, type FolderTool } from './folder-tool.ts';
import { pathWithin } from './path-within.ts';

export interface McpArguments extends ServiceArguments {
  readonly out?: string;
}

/** Runs `assay mcp [PATH]`: serves MCP on standard input and output until the client disconnects. */
export async function mcpCommand(
  path: string | undefined,
  args: McpArguments,
  io: Io,
  launcher: Launcher,
): Promise<number> {
  if (path === undefined) {
    if (args.out !== undefined)
      throw new AssayError('usage', '--out needs a path; a service stores its exports itself', {
        advice: 'leave it out, or add a path',
      });
    const place = await findEndpoint(args, launcher);
    if (place === null) throw noServiceError(args);
    io.note(`assay: MCP server on standard input and output, for the service at ${place.address}\n`);
    await bridgeStdio(place, io.signal);
    return 0;
  }
  if (args.url !== undefined)
    throw new AssayError('usage', 'a path and --url cannot be combined', { advice: 'use one of them' });
  const offer = await folderOffer(path, args.out, io, launcher);
  io.note(`assay: MCP server on standard input and output, for ${path}\n`);
  const onFault = (thrown: unknown) => io.note(`assay: ${String(thrown)}\n`);
  await serveStdio({ version, offer, whoOf: () => null, onFault }, io.signal);
  return 0;
}

const instructions =
  'Assay checks whether the recordings of one folder are fit to train on, with evidence. Call inspect first, then assess. search finds episodes; export lists the episodes that are fit to train on, or writes them as a dataset. Images and video are never returned.';

/**
 * Builds the MCP tools of a folder. Throws `not_found` for a missing path, `usage` for an address or an unwritable
 * `out`.
 */
async function folderOffer(
  path: string,
  out: string | undefined,
  io: Io,
  launcher: Launcher,
): Promise<Offer<null>> {
  requireLocalPath(path, 'assay mcp');
  const root = resolve(path);
  await realpath(root).catch((thrown: unknown) => {
    throw wrapReadError(thrown, path);
  });
  if (out !== undefined) requireWritable(out);
  const context = { root, out: out === undefined ? null : resolve(out), io };
  const takeTurn = createSerialQueue();
  const tools: readonly OfferedTool<null>[] = [inspectTool, assessTool, searchTool, exportTool]
    .map((make) => make(launcher)(context))
    .map((tool) => ({ ...tool, call: (input, caller) => takeTurn(() => tool.call(input, caller)) }));
  return {
    instructions,
    tools: () => tools,
    find: (id) => tools.find((tool) => tool.id === id),
    kinds: [],
    prompts: [],
    complete: async () => [],
    listResources: async () => [],
  };
}

/** Creates a queue that runs one tool call at a time, since each call uses all cores. */
function createSerialQueue(): <Answer>(work: () => Promise<Answer>) => Promise<Answer> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next;
    return next;
  };
}

/** MCP tool that returns the output of `assay inspect`. */
const inspectTool = (launcher: Launcher): FolderTool =>
  defineFolderTool({
    id: 'inspect',
    title: 'Inspect',
    description:
      'Lists what the folder contains and how it was recognised: datasets with format, version, episodes and size, and the streams of the first episode with their clocks and units. Does not assess anything; call it first.',
    reads: true,
    body: z.strictObject({ path: pathMember }),
    run: async ({ root, io }, { path }) => {
      const found = await pathWithin(root, path);
      return captureJson(io, (captured) => inspectCommand(found, { json: true }, captured, launcher));
    },
  });

const ids = z.array(z.string().min(1).max(1000)).min(1).max(10_000).optional();

/** MCP tool for `assay export`: plans an export, and writes it if a name is given. */
const exportTool = (launcher: Launcher): FolderTool =>
  defineFolderTool({
    id: 'export',
    title: 'Export',
    description:
      'Lists which episodes are fit to train on and why the others are not. With `name` it also writes them as a new dataset of that name to the export folder. It never changes recordings or overwrites files.',
    reads: false,
    body: z.strictObject({
      path: pathMember,
      name: z
        .string()
        .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/)
        .optional()
        .meta({ description: 'Name of the new folder. If absent, nothing is written.' }),
      format: z.enum(exportFormatIds).default('lerobot-v3'),
      with_review: z.boolean().default(false).meta({ description: 'Also keep episodes that need review.' }),
      only: ids,
      without: ids,
      limit: limitMember,
    }),
    run: async (context, { path, name, format, with_review, only, without, limit }) => {
      const found = await pathWithin(context.root, path);
      const args = {
        ...{ format, withReview: with_review, cache: launcher.cacheFolder(), json: true },
        ...(name === undefined ? { dryRun: true } : { out: exportFolderFor(context, name) }),
        ...(only === undefined ? {} : { only }),
        ...(without === undefined ? {} : { without }),
        ...(limit === undefined ? {} : { limit }),
      };
      return captureJson(context.io, (captured) => exportCommand([found], args, captured));
    },
  });

function exportFolderFor({ out }: FolderContext, name: string): string {
  if (out !== null) return join(out, name);
  throw new AssayError('not_permitted', 'exporting is not allowed: no export folder was set', {
    advice: 'start `assay mcp PATH --out DIR`, or leave name out to see what would be kept',
  });
}

const several = z.array(z.string().min(1).max(2000)).min(1).max(50).optional();
const words = z.string().min(1).max(1000).optional();

/** MCP tool that returns the results of `assay search`. */
const searchTool = (launcher: Launcher): FolderTool =>
  defineFolderTool({
    id: 'search',
    title: 'Search',
    description:
      'Finds episodes by filters, and ranks them by how well their task matches words (about) or by similarity to an episode (like). Values of one filter are alternatives; different filters must all match.',
    reads: true,
    body: z.strictObject({
      path: pathMember,
      text: words.meta({ description: 'Words that the task must all contain.' }),
      decision: z.array(z.enum(['accept', 'review', 'reject'])).optional(),
      outcome: z.array(z.enum(['success', 'failure', 'unknown'])).optional(),
      flag: several.meta({ description: 'Flag codes, such as frames_repeated.' }),
      robot: several,
      object: several,
      about: words.meta({ description: 'Rank by how well the task matches these words.' }),
      like: words.meta({ description: 'Rank by similarity to this episode, by id or number.' }),
      by: z.enum(descriptors.ids).default('motion').meta({ description: 'What `like` compares.' }),
      most: z.int().min(1).max(500).default(20),
      limit: limitMember,
    }),
    run: async ({ root, io }, { path, ...asked }) => {
      const found = await pathWithin(root, path);
      const args = {
        ...omitUndefined(asked),
        by: asked.by,
        most: asked.most,
        cache: launcher.cacheFolder(),
        json: true,
      };
      return captureJson(io, (captured) => searchCommand(found, args, captured, launcher));
    },
  });

type Defined<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> };

/** Returns a copy without undefined members. */
function omitUndefined<Members extends object>(members: Members): Defined<Members> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Defined<Members>;
}

/** Default number of listed episodes. */
const maxListed = 50;

/** MCP tool that returns the verdicts of `assay assess`, without receipts. */
const assessTool = (launcher: Launcher): FolderTool =>
  defineFolderTool({
    id: 'assess',
    title: 'Assess',
    description:
      'Assesses every episode: accept, review or reject, with score and flags, and findings on the recordings as a whole. Lists the worst episodes first. May take minutes; measurements are cached.',
    reads: true,
    body: z.strictObject({
      path: pathMember,
      limit: limitMember,
      most: z
        .int()
        .min(0)
        .max(1000)
        .default(maxListed)
        .meta({ description: 'Maximum number of episodes to list, worst first.' }),
    }),
    run: async ({ root, io }, { path, limit, most }) => {
      const found = await pathWithin(root, path);
      const cache = launcher.cacheFolder();
      const options = {
        ...assessOptionsOf({ cache, ...(limit === undefined ? {} : { limit }) }),
        details: most,
      };
      return withRecordings(found, {}, io, launcher, async ({ recordings }) => {
        const result = await assess(recordings, options, { signal: io.signal });
        try {
          return summarizeAssessment(result, most);
        } finally {
          await result.close();
        }
      });
    },
  });

function summarizeAssessment(result: AssessmentResult, maxEpisodes: number) {
  const { settings, ...dataset } = result.summary();
  const paths = result.datasets.map(({ path }) => path);
  const worst = result.verdicts.toSorted(worstFirst).slice(0, maxEpisodes);
  return {
    dataset,
    settings: { name: settings.name, hash: settings.hash },
    flags: countFlags(result.verdicts),
    episodes: worst.map(({ dataset: at, receipt: _, ...verdict }) => ({ dataset: paths[at], ...verdict })),
    episodes_not_listed: result.verdicts.length - worst.length,
  };
}

/** Counts the episodes that raise each flag; most frequent first. */
function countFlags(verdicts: readonly EpisodeVerdict[]) {
  const counts = new Map<string, number>();
  for (const { flags } of verdicts)
    for (const code of new Set(flags.map(({ code }) => code))) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([code, episodes]) => ({ code, episodes }));
}

/** Input schema for a path below the opened folder, shared by the tools. */
const pathMember = z
  .string()
  .max(4096)
  .default('.')
  .meta({ description: 'Path relative to the folder that was opened. Defaults to the whole folder.' });

const limitMember = z
  .int()
  .min(1)
  .optional()
  .meta({ description: 'Only the first n episodes of each dataset.' });

/** Runs a command and returns the JSON that it prints; its exit code is ignored. */
async function captureJson(io: Io, command: (io: Io) => Promise<number>): Promise<JsonValue> {
  const texts: string[] = [];
  await command({
    ...io,
    live: false,
    out: async (text) => {
      texts.push(text);
    },
  });
  return JSON.parse(texts.join(''));
}
