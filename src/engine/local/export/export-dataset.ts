import { resolve } from 'node:path';
import { AssayError, type JsonObject } from '#core';
import type { ExportFormatId } from '#core/api';
import { type EditRequest, exportFormats, readEdits } from '#formats/write';
import { AnnotationFolder } from '../../steps/annotated/annotation-folder.ts';
import { layersFor } from '../../steps/annotated/exported-layers.ts';
import { demandOne } from '../../steps/export/check-export.ts';
import { chooseEpisodes, type EpisodeChoice } from '../../steps/export/choose-episodes.ts';
import { demandExportable } from '../../steps/export/demand-exportable.ts';
import type {
  ExportAsked,
  ExportedSet,
  ExportPlan,
  ExportSetTask,
  ExportSource,
} from '../../steps/export/export-task.ts';
import { formatsWithAnnotations } from '../../steps/export/judged-facts.ts';
import type { Lineage, LineageSource } from '../../steps/export/lineage.ts';
import { noRowLeft, type SealedEpisode, sealSet } from '../../steps/export/seal-set.ts';
import {
  judgedOf,
  type SealedReceipt,
  sealedReceipts,
  sourcesUnchanged,
} from '../../steps/export/sealed-receipts.ts';
import { assess } from '../assess.ts';
import type { AssessHooks, AssessOptions, FoundDataset } from '../options.ts';
import { refuseOverlap } from '../output/output-folder.ts';
import type { AssessmentResult } from '../result/result.ts';
import { checkInThread, exportInThread, planInThread, type SourceSet, sourceSets } from './in-thread.ts';
import type { SourceEpisode } from './source-episode.ts';
import { type StagedFolder, stageFolder } from './staged-folder.ts';

export interface ExportOptions extends EpisodeChoice {
  /** What is written; `lerobot-v3` where none is given. */
  readonly format?: ExportAsked['format'];
  /** Rows a second; absent: the recording's own. */
  readonly rate_hz?: number;
  /** What is changed on the way. */
  readonly edits?: EditRequest;
  /** Sets of the same schema, whose episodes follow those of the first. */
  readonly merge?: readonly string[];
  /** `SET:FEATURE=NAME`: what a feature of one of the sets is called in the new one. */
  readonly map?: readonly string[];
  /** How episodes are judged first. */
  readonly assess?: AssessOptions;
  /** A folder that `assay annotate` wrote: what it says travels along. */
  readonly annotations?: string;
  /** Only decides; nothing is written. */
  readonly dry_run?: boolean;
}

export interface ExportResult {
  /** What is written, in words. */
  readonly title: string;
  readonly episodes: readonly SourceEpisode[];
  /** Null after a dry run, and where no episode is left: nothing was written then. */
  readonly lineage: Lineage | null;
  /** What a dry run would do to the set, where anything is changed; null for everything else. */
  readonly plan: ExportPlan | null;
}

/**
 * Judges a dataset, or several of one schema, and writes the episodes that may be trained on as a set of their own into
 * `out`, with its lineage. The folder appears whole or not at all. Throws as `assess`, and `usage` before anything is
 * measured, `not_ready` where a source has changed since it was judged.
 */
export async function exportDataset(
  path: string,
  out: string,
  options: ExportOptions,
  hooks: AssessHooks = {},
): Promise<ExportResult> {
  const { format = 'lerobot-v3', rate_hz, edits = {}, merge = [] } = options;
  readEdits(edits);
  const annotations = annotationsOf(options.annotations, format);
  if (options.annotations !== undefined && merge.length > 0) throw severalSets();
  const asked = { format, edits, ...(rate_hz === undefined ? {} : { rate_hz }) };
  const sets = sourceSets([path, ...merge], options);
  const staged = options.dry_run === true ? null : stageOutside(out, sets);
  try {
    if (sets.length > 1 || Object.keys(edits).length > 0) await checkInThread(sets, asked, hooks);
    const judged: JudgedSource[] = [];
    for (const set of sets) judged.push(await judgeSource(set, asked, options.assess ?? {}, hooks));
    const episodes = judged.flatMap((one) => one.episodes);
    const isEmpty = episodes.every(({ dropped }) => dropped !== null);
    const title = exportFormats.get(format)?.title ?? format;
    if (isEmpty) return { title, ...without(staged, episodes) };
    if (staged === null) return { title, ...(await planAll({ sets, judged, asked, episodes }, hooks)) };
    return {
      title,
      ...(await writeAll(
        {
          sets,
          judged,
          asked: { ...asked, ...annotations.task },
          edits: annotations.edits,
          staged,
          episodes,
        },
        hooks,
      )),
    };
  } catch (thrown) {
    staged?.discard();
    throw hooks.signal?.aborted === true
      ? new AssayError('cancelled', 'the export was stopped; nothing was written')
      : thrown;
  }
}

interface AskedAnnotations {
  readonly task: Pick<ExportSetTask, 'annotations'>;
  /** What of the folder has no place in the format. */
  readonly edits: readonly JsonObject[];
}

/** Looked at before anything is measured. Throws `usage` where the folder holds none, or nothing that the format does. */
function annotationsOf(folder: string | undefined, format: ExportFormatId): AskedAnnotations {
  if (folder === undefined) return { task: {}, edits: [] };
  const formats = formatsWithAnnotations();
  if (!formats.includes(format))
    throw new AssayError('usage', `${format} holds no annotations`, {
      advice: `leave --annotations out, or write one of ${formats.join(', ')}`,
    });
  const { layers } = new AnnotationFolder(folder);
  const held: readonly string[] = layersFor(format, true);
  const without = layers.filter((layer) => !held.includes(layer));
  const reason = `${format} has no place for what ${without.join(', ')} say`;
  if (layers.length > 0 && without.length === layers.length)
    throw new AssayError('usage', reason, { advice: `it has one for ${held.join(', ')}` });
  const edits = without.length === 0 ? [] : [{ edit: 'drop_annotations', layers: without, reason }];
  return { task: { annotations: resolve(folder) }, edits };
}

const severalSets = (): AssayError =>
  new AssayError('usage', '--annotations is of one set, and several are named', {
    advice: 'export each with its own annotations first, and then all of them as one',
  });

function without(staged: StagedFolder | null, episodes: readonly SourceEpisode[]): Written {
  staged?.discard();
  return { episodes, lineage: null, plan: null };
}

type Written = Omit<ExportResult, 'title'>;

interface Writing {
  readonly sets: readonly SourceSet[];
  readonly judged: readonly JudgedSource[];
  readonly asked: ExportAsked & Pick<ExportSetTask, 'annotations'>;
  /** What the folder of annotations holds and the set does not. */
  readonly edits: readonly JsonObject[];
  readonly staged: StagedFolder;
  readonly episodes: readonly SourceEpisode[];
}

/** Where nothing is changed, all there is to say is which episodes stay. */
async function planAll(
  { sets, judged, asked, episodes }: Omit<Writing, 'staged' | 'edits'>,
  hooks: AssessHooks,
): Promise<Written> {
  const isChanged =
    sets.length > 1 ||
    asked.rate_hz !== undefined ||
    Object.keys(asked.edits ?? {}).length > 0 ||
    judged.some(({ source }) => source.trims !== undefined);
  if (!isChanged) return without(null, episodes);
  const task = { ...asked, sources: judged.map(({ source }) => source), folder: '' };
  const plan = await planInThread(sets, task, hooks);
  if (plan === null) return without(null, episodes.map(noRow));
  const left = new Set(plan.episodes.map(({ source, id }) => `${sets[source].name} ${id}`));
  const said = (one: SourceEpisode) => (left.has(`${one.source} ${one.verdict.id}`) ? one : noRow(one));
  return { episodes: episodes.map(said), lineage: null, plan };
}

async function writeAll(writing: Writing, hooks: AssessHooks): Promise<Written> {
  const { sets, judged, asked, edits, staged, episodes } = writing;
  const task = { ...asked, sources: judged.map(({ source }) => source), folder: staged.path };
  const written = await exportInThread(sets, task, hooks);
  const set = { ...written, edits: [...written.edits, ...edits] };
  for (const [place, { receipts, source }] of judged.entries())
    sourcesUnchanged(set.sources[place], receipts, source.keep);
  if (set.episodes?.length === 0) return without(staged, episodes.map(noRow));
  const { lineage } = await sealSet(staged.path, originOf(judged, set), hooks);
  staged.finish();
  return { episodes, lineage, plan: null };
}

const noRow = (one: SourceEpisode): SourceEpisode => ({ ...one, dropped: one.dropped ?? noRowLeft });

function originOf(judged: readonly JudgedSource[], set: ExportedSet) {
  return {
    sources: judged.map(({ origin }) => origin),
    settings_hash: judged[0].settings_hash,
    episodes: judged.flatMap((one, source) => sealedEpisodes(one, source)),
    set,
  };
}

function stageOutside(out: string, sets: readonly SourceSet[]): StagedFolder {
  for (const { path } of sets) refuseOverlap(out, path);
  return stageFolder(out);
}

/** Each episode with what its receipt says, for the lineage. */
function sealedEpisodes({ episodes, receipts }: JudgedSource, source: number): SealedEpisode[] {
  return episodes.map(({ verdict, dropped }) => ({
    source,
    id: verdict.id,
    source_index: verdict.index,
    decision: verdict.decision,
    receipt: receipts.get(verdict.id)?.content_hash ?? null,
    dropped,
    flags: [...verdict.flags, ...verdict.findings].map(({ code }) => code),
  }));
}

/** A set that was judged, and which of its episodes leave. */
interface JudgedSource {
  readonly source: ExportSource;
  readonly episodes: readonly SourceEpisode[];
  /** By episode id. */
  readonly receipts: ReadonlyMap<string, SealedReceipt>;
  readonly origin: Omit<LineageSource, 'files'>;
  readonly settings_hash: string;
}

/** Judges a set and chooses among its episodes. Throws as `assess`, and `usage` before anything is measured. */
async function judgeSource(
  { path, name, names, choice }: SourceSet,
  asked: ExportAsked,
  options: AssessOptions,
  hooks: AssessHooks,
): Promise<JudgedSource> {
  const onFound = (datasets: readonly FoundDataset[]) => {
    demandExportable({ ...asked, sources: [choice] }, [demandOne(datasets).format]);
    hooks.onFound?.(datasets);
  };
  const result = await assess(path, { ...options, receipts: true }, { ...hooks, onFound });
  try {
    const dataset = onlyDataset(result);
    const episodes = chooseEpisodes(result.verdicts, choice).map((one) => ({ ...one, source: name }));
    const [{ facts }] = result.datasets;
    const keep = keptIds(episodes);
    const trims = trimsOf(choice, keep);
    const receipts = sealedReceipts(result.receipts(), new Set(keep), asked.format);
    return {
      source: { name, dataset, keep, names, ...trims, ...judgedOf(receipts) },
      episodes,
      receipts,
      origin: { name, format: facts.format, version: facts.version },
      settings_hash: result.settings.hash,
    };
  } finally {
    await result.close();
  }
}

/** Of the episodes that stay. */
function trimsOf({ trims = {} }: EpisodeChoice, keep: readonly string[]): Pick<ExportSource, 'trims'> {
  const own = keep.flatMap((id) => (Object.hasOwn(trims, id) ? [[id, trims[id]] as const] : []));
  return own.length === 0 ? {} : { trims: Object.fromEntries(own) };
}

const keptIds = (episodes: readonly SourceEpisode[]): string[] =>
  episodes.flatMap(({ verdict, dropped }) => (dropped === null ? [verdict.id] : []));

/** Its path below the one named; an export takes one dataset of each path. */
function onlyDataset({ datasets, incomplete }: AssessmentResult): string {
  if (incomplete.length > 0)
    throw new AssayError(
      'unfinished',
      `${incomplete[0].path} could not be measured: ${incomplete[0].reason}`,
      {
        ...(incomplete[0].path === null ? {} : { path: incomplete[0].path }),
        advice: 'assess it again, then export',
      },
    );
  const [{ path }] = datasets;
  return path === '.' ? '' : path;
}
