import { resolve } from 'node:path';
import { AssayError, type JsonObject } from '#core';
import type { ExportFormatId } from '#core/api';
import { type EditRequest, exportFormats, readEdits } from '#formats/write';
import { AnnotationFolder } from '../../steps/annotation-folder.ts';
import { requireOneDataset } from '../../steps/export/check-export.ts';
import {
  type ChosenEpisode,
  chooseEpisodes,
  type EpisodeChoice,
} from '../../steps/export/choose-episodes.ts';
import {
  type ExportedSet,
  type ExportPlan,
  type ExportSetTask,
  type ExportSettings,
  type ExportSource,
  listAbsentCameras,
  requireExportable,
  requireNoAbsentCamera,
} from '../../steps/export/export-request.ts';
import { formatsWithAnnotations } from '../../steps/export/judged-facts.ts';
import {
  type Lineage,
  type LineageSource,
  noRowsReason,
  type SealedEpisode,
  sealSet,
} from '../../steps/export/lineage.ts';
import {
  collectJudged,
  readSealedReceipts,
  requireSourcesUnchanged,
  type SealedReceipt,
} from '../../steps/export/sealed-receipts.ts';
import { dropEdits, exportableLayers, unsupportedLayers } from '../../steps/exported-layers.ts';
import { assess } from '../assess.ts';
import type { AssessHooks, AssessOptions, FoundDataset } from '../options.ts';
import { requireNoOverlap } from '../output/output-folder.ts';
import type { AssessmentResult } from '../result.ts';
import {
  checkInThread,
  exportInThread,
  planInThread,
  type SourceSet,
  sourceSets,
} from './export-in-thread.ts';
import { type StagedOutput, stageFolder } from './staged-output.ts';

/** Options of `exportDataset`. */
export interface ExportOptions extends EpisodeChoice {
  /** Format; default: `lerobot-v3`. */
  readonly format?: ExportSettings['format'];
  /** Rows per second; default: as recorded. */
  readonly rate_hz?: number;
  /** Edits to apply. */
  readonly edits?: EditRequest;
  /** Sets of the same schema to append. */
  readonly merge?: readonly string[];
  /** New feature names as `SET:FEATURE=NAME`. */
  readonly map?: readonly string[];
  /** Options of the assessment. */
  readonly assess?: AssessOptions;
  /** Folder from `assay annotate`, whose annotations are included. */
  readonly annotations?: string;
  /** Only plans; nothing is written. */
  readonly dry_run?: boolean;
}

/** Result of `exportDataset`. */
export interface ExportResult {
  /** Title of the format. */
  readonly title: string;
  readonly episodes: readonly SourceEpisode[];
  /** Lineage; `null` after a dry run, and if no episode is left and nothing was written. */
  readonly lineage: Lineage | null;
  /** Plan of a dry run with changes; otherwise `null`. */
  readonly plan: ExportPlan | null;
}

/**
 * Assesses one or more datasets of one schema, writes the usable episodes as a new set into `out`, with its lineage, and
 * returns what was written and dropped; a dry run writes nothing. The folder appears only when complete. Throws as `assess`,
 * `usage` before anything is measured, `not_ready` if a source has changed since it was assessed.
 */
export async function exportDataset(
  path: string,
  out: string,
  options: ExportOptions,
  hooks: AssessHooks = {},
): Promise<ExportResult> {
  const { format = 'lerobot-v3', rate_hz, edits = {}, merge = [] } = options;
  readEdits(edits);
  const annotations = checkAnnotations(options.annotations, format);
  if (options.annotations !== undefined && merge.length > 0) throw severalSetsError();
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
    if (isEmpty) return { title, ...nothingWritten(staged, episodes) };
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

interface AnnotationRequest {
  readonly task: Pick<ExportSetTask, 'annotations'>;
  /** Lineage edits for annotations that the format cannot store. */
  readonly edits: readonly JsonObject[];
}

/**
 * Returns the annotations to export and what people's edits need; checked before anything is measured. Throws `usage` if the
 * folder has none, or none that the format can store.
 */
function checkAnnotations(folder: string | undefined, format: ExportFormatId): AnnotationRequest {
  if (folder === undefined) return { task: {}, edits: [] };
  const formats = formatsWithAnnotations();
  if (!formats.includes(format))
    throw new AssayError('usage', `${format} cannot store annotations`, {
      advice: `remove --annotations, or use one of these formats: ${formats.join(', ')}`,
    });
  const { layers } = new AnnotationFolder(folder);
  const unsupported = unsupportedLayers(format, layers);
  if (unsupported !== null && unsupported.layers.length === layers.length)
    throw new AssayError('usage', unsupported.reason, {
      advice: `supported layers: ${exportableLayers(format).join(', ')}`,
    });
  return { task: { annotations: resolve(folder) }, edits: dropEdits(format, layers) };
}

const severalSetsError = (): AssayError =>
  new AssayError('usage', '--annotations works with one dataset, but several were given', {
    advice: 'export each dataset with its annotations first, then merge the exports',
  });

function nothingWritten(staged: StagedOutput | null, episodes: readonly SourceEpisode[]): WriteOutcome {
  staged?.discard();
  return { episodes, lineage: null, plan: null };
}

type WriteOutcome = Omit<ExportResult, 'title'>;

interface WriteInputs {
  readonly sets: readonly SourceSet[];
  readonly judged: readonly JudgedSource[];
  readonly asked: ExportSettings & Pick<ExportSetTask, 'annotations'>;
  /** Lineage edits for annotations that the set does not include. */
  readonly edits: readonly JsonObject[];
  readonly staged: StagedOutput;
  readonly episodes: readonly SourceEpisode[];
}

/** Returns the plan of a dry run and the episodes; without changes no plan, only which episodes stay. */
async function planAll(
  { sets, judged, asked, episodes }: Omit<WriteInputs, 'staged' | 'edits'>,
  hooks: AssessHooks,
): Promise<WriteOutcome> {
  const isChanged =
    sets.length > 1 ||
    asked.rate_hz !== undefined ||
    Object.keys(asked.edits ?? {}).length > 0 ||
    judged.some(({ source }) => source.trims !== undefined);
  if (!isChanged) return nothingWritten(null, episodes);
  const task = { ...asked, sources: judged.map(({ source }) => source), folder: '' };
  const plan = await planInThread(sets, task, hooks);
  if (plan === null) return nothingWritten(null, episodes.map(markNoRows));
  const remaining = new Set(plan.episodes.map(({ source, id }) => `${sets[source].name} ${id}`));
  const mark = (one: SourceEpisode) =>
    remaining.has(`${one.source} ${one.verdict.id}`) ? one : markNoRows(one);
  return { episodes: episodes.map(mark), lineage: null, plan };
}

async function writeAll(writing: WriteInputs, hooks: AssessHooks): Promise<WriteOutcome> {
  const { sets, judged, asked, edits, staged, episodes } = writing;
  const task = { ...asked, sources: judged.map(({ source }) => source), folder: staged.path };
  const written = await exportInThread(sets, task, hooks);
  const set = { ...written, edits: [...written.edits, ...edits] };
  for (const [place, { receipts, source }] of judged.entries())
    requireSourcesUnchanged(set.sources[place], receipts, source.keep);
  if (set.episodes?.length === 0) return nothingWritten(staged, episodes.map(markNoRows));
  const { lineage } = await sealSet(staged.path, toOrigin(judged, set), hooks);
  staged.finish();
  return { episodes, lineage, plan: null };
}

const markNoRows = (one: SourceEpisode): SourceEpisode => ({ ...one, dropped: one.dropped ?? noRowsReason });

function toOrigin(judged: readonly JudgedSource[], set: ExportedSet) {
  return {
    sources: judged.map(({ origin }) => origin),
    settings_hash: judged[0].settings_hash,
    episodes: judged.flatMap((one, source) => toSealedEpisodes(one, source)),
    set,
  };
}

function stageOutside(out: string, sets: readonly SourceSet[]): StagedOutput {
  for (const { path } of sets) requireNoOverlap(out, path);
  return stageFolder(out);
}

/** Returns the episodes with their receipt data, for the lineage. */
function toSealedEpisodes({ episodes, receipts }: JudgedSource, source: number): SealedEpisode[] {
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

/** An assessed set and its chosen episodes. */
interface JudgedSource {
  readonly source: ExportSource;
  readonly episodes: readonly SourceEpisode[];
  /** Receipts by episode id. */
  readonly receipts: ReadonlyMap<string, SealedReceipt>;
  readonly origin: Omit<LineageSource, 'files'>;
  readonly settings_hash: string;
}

/** Assesses a set and chooses episodes. Throws as `assess`, and `usage` before anything is measured. */
async function judgeSource(
  { path, name, names, choice }: SourceSet,
  settings: ExportSettings,
  options: AssessOptions,
  hooks: AssessHooks,
): Promise<JudgedSource> {
  const onFound = (datasets: readonly FoundDataset[]) => {
    const { format, findings } = requireOneDataset(datasets);
    requireExportable({ ...settings, sources: [choice] }, [format]);
    requireNoAbsentCamera(listAbsentCameras(findings), settings.edits);
    hooks.onFound?.(datasets);
  };
  const result = await assess(path, { ...options, receipts: true }, { ...hooks, onFound });
  try {
    const dataset = requireMeasured(result);
    const episodes = chooseEpisodes(result.verdicts, choice).map((one) => ({ ...one, source: name }));
    const [{ facts }] = result.datasets;
    const keep = listKeptIds(episodes);
    const trims = selectTrims(choice, keep);
    const receipts = readSealedReceipts(result.receipts(), new Set(keep), settings.format);
    return {
      source: { name, dataset, keep, names, ...trims, ...collectJudged(receipts) },
      episodes,
      receipts,
      origin: { name, format: facts.format, version: facts.version },
      settings_hash: result.settings.hash,
    };
  } finally {
    await result.close();
  }
}

/** Returns the trims of the kept episodes. */
function selectTrims({ trims = {} }: EpisodeChoice, keep: readonly string[]): Pick<ExportSource, 'trims'> {
  const own = keep.flatMap((id) => (Object.hasOwn(trims, id) ? [[id, trims[id]] as const] : []));
  return own.length === 0 ? {} : { trims: Object.fromEntries(own) };
}

const listKeptIds = (episodes: readonly SourceEpisode[]): string[] =>
  episodes.flatMap(({ verdict, dropped }) => (dropped === null ? [verdict.id] : []));

/**
 * Returns the path of the only dataset below the given path. Throws `unfinished` if something could not be measured.
 */
function requireMeasured({ datasets, incomplete }: AssessmentResult): string {
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

/** An episode, whether it is exported, and the name of its set. */
export interface SourceEpisode extends ChosenEpisode {
  readonly source: string;
}
