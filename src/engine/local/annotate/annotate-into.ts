import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, extname, join, resolve } from 'node:path';
import { z } from 'zod';
import { AssayError, toJson } from '#core';
import type { JobLayerId, LayerId } from '#core/api';
import type { Finding } from '#core/episode';
import type { ReviewVerdict } from '#labels/annotation';
import { ModelHosts } from '#labels/models';
import { engine } from '#quality/readiness';
import type { DoneRow, JudgedEpisode } from '#store';
import { writeAtomically } from '../../steps/judge/receipt-files.ts';
import type { FilmRequest, PictureSources } from '../../steps/messages.ts';
import type { FilmAnswer, OverlayLayer, StoredOutput } from '../../steps/units.ts';
import { WorkThreads } from '../../threads/work-threads.ts';
import { type StagedOutput, stageFile, stageFolder } from '../export/staged-output.ts';
import type { AssessHooks } from '../options.ts';
import { requireNoOverlap } from '../output/output-folder.ts';
import { ProgressMeter } from '../progress.ts';
import { annotateEpisodes, pictureSources, toAnnotateItem, toStoredOutput } from './annotate-episodes.ts';
import { type AnnotationList, AnnotationLog, ArtifactFiles } from './annotation-list.ts';
import { type ChosenLane, chooseLanes, type ModelChoice, type RequestedLayer } from './lane-choice.ts';
import { type LocalWork, lookAndBrief, measureEpisodes } from './measure-episodes.ts';

/** Options of `annotateInto`. */
export interface AnnotateOptions {
  readonly layers: readonly RequestedLayer[];
  readonly models: ModelChoice;
  /** Episode ids; default: all. */
  readonly only?: readonly string[];
  /** Also draws the annotations of one episode over its pictures. */
  readonly overlay?: OverlayOptions;
  /** Number of threads; default: one per core. The output does not depend on it. */
  readonly workers?: number;
}

/** File name of the list of annotations. */
export const annotationsFile = 'annotations.json';
/** Subfolder of the staging folder; removed at the end, and with the staging folder if the process was killed. */
const scratchFolder = '.work';

/** Result of `annotateInto`. */
export interface Annotations {
  readonly list: AnnotationList;
  /** Drawn overlay; `null` if none was requested. */
  readonly overlay: DrawnOverlay | null;
}

/**
 * Annotates every episode under `path`, writes the artifacts and their list into the new folder `out` (null: they are
 * discarded), and returns the list. They equal those of a service for the same episodes and settings, byte for byte. The
 * folder appears only when complete. Throws as `findDatasets`, and `usage`, `layer_unavailable`, `unreadable_input`,
 * `cancelled`, `output_unwritable`.
 */
export async function annotateInto(
  out: string | null,
  path: string,
  options: AnnotateOptions,
  hooks: AssessHooks & { readonly signal: AbortSignal },
): Promise<Annotations> {
  const lanes = await chooseLanes(options.layers, options.models);
  if (out !== null) requireNoOverlap(out, path);
  const staged = out === null ? temporaryFolder() : stageFolder(out);
  const scratch = join(staged.path, scratchFolder);
  const { onnx_provider = 'auto' } = options.models;
  const workers = options.workers ?? availableParallelism();
  const models = new ModelHosts(workers, { onnx_provider });
  const threads = new WorkThreads({
    blobs: { kind: 'folder', folder: join(scratch, 'blobs') },
    threads: workers,
    ...{ scratch: join(scratch, 'threads'), patience_ms: 0, model_sockets: models.sockets },
  });
  const meter = new ProgressMeter(hooks.onProgress);
  const work = { threads, meter, signal: hooks.signal, range_size: 8 };
  try {
    const made = await annotateAll(
      { path: resolve(path), folder: staged.path, scratch, lanes },
      options,
      work,
    );
    await threads.close();
    rmSync(scratch, { recursive: true, force: true });
    writeAtomically(join(staged.path, annotationsFile), `${JSON.stringify(made.list, null, 2)}\n`);
    staged.finish();
    return made;
  } catch (thrown) {
    await threads.close();
    staged.discard();
    throw hooks.signal.aborted ? new AssayError('cancelled', 'stopped; nothing was written') : thrown;
  } finally {
    await models.close();
  }
}

/** Returns a temporary folder that is removed at the end. */
function temporaryFolder(): StagedOutput {
  const path = mkdtempSync(join(tmpdir(), 'assay-annotate-'));
  const discard = () => rmSync(path, { recursive: true, force: true });
  return { path, finish: discard, discard };
}

interface AnnotatePaths {
  readonly path: string;
  readonly folder: string;
  readonly scratch: string;
  readonly lanes: readonly ChosenLane[];
}

async function annotateAll(
  { path, folder, scratch, lanes }: AnnotatePaths,
  { only, overlay }: AnnotateOptions,
  work: LocalWork,
): Promise<Annotations> {
  const recordings = { kind: 'folder', path } as const;
  work.meter.stage('look', { episodes: 0, bytes: 0 });
  const looked = await lookAndBrief(recordings, work);
  const bytes = looked.units.reduce((sum, { unit }) => sum + unit.bytes, 0);
  work.meter.stage('measure', { episodes: looked.brief.episodes_expected, bytes });
  const measured = await measureEpisodes(looked, work);
  const { findings } = measured;
  requireEpisodes(measured.episodes, findings, path);
  const episodes = only === undefined ? measured.episodes : selectEpisodes(measured.episodes, only);
  if (overlay !== undefined) requireOneEpisode(episodes);
  const log = new AnnotationLog(lanes, episodes);
  const done = new Map<JobLayerId, DoneRow>();
  const files = new ArtifactFiles(folder, join(scratch, 'blobs'), looked.datasets.length > 1);
  work.meter.stage('annotate', { episodes: log.due, bytes: 0 });
  await annotateEpisodes({
    ...{ ...work, lanes, episodes, recordings, datasets: looked.datasets },
    onAnnotated: async (lane, place, annotated) => {
      const { id } = lanes[lane].row;
      const isDone = annotated.state === 'done';
      if (overlay !== undefined && isDone && annotated.row.not_produced === null) done.set(id, annotated.row);
      log.add(
        lane,
        place,
        annotated,
        isDone ? await files.write(id, annotated.row, episodes[place], place) : [],
      );
    },
  });
  const listed = log.list({ assay: engine.version, source: basename(path), findings });
  const list = addVerdicts(folder, listed);
  const pictures = pictureSources({ datasets: looked.datasets, recordings });
  const drawn =
    overlay === undefined
      ? null
      : await drawEpisodeFilm(overlay, { episode: episodes[0], done, pictures }, work);
  return { list, overlay: drawn };
}

function requireEpisodes(
  episodes: readonly JudgedEpisode[],
  findings: readonly Finding[],
  path: string,
): void {
  if (episodes.length > 0) return;
  const first = findings.find(({ severity }) => severity === 'error' || severity === 'blocking');
  const why = first === undefined ? '' : `: ${first.message}`;
  throw new AssayError('unreadable_input', `no episodes to annotate in ${path}${why}`, {
    path: first?.path ?? path,
    advice: first?.advice ?? 'run assay inspect PATH to see what it contains',
  });
}

function selectEpisodes(
  episodes: readonly JudgedEpisode[],
  only: readonly string[],
): readonly JudgedEpisode[] {
  const names = new Set(episodes.map(({ name }) => name));
  const unknown = only.find((name) => !names.has(name));
  if (unknown !== undefined)
    throw new AssayError('usage', `no episode named ${unknown}`, {
      advice: `use an episode name such as ${episodes[0].name}`,
    });
  const ids = new Set(only);
  return episodes.filter(({ name }) => ids.has(name));
}

const reviewSchema = z.looseObject({
  layers: z.array(z.looseObject({ layer: z.string(), verdict: z.string() })),
});

/** Returns the list with the review verdicts, which are read from `folder`, added to its episodes. */
function addVerdicts(folder: string, list: AnnotationList): AnnotationList {
  const episodes = list.episodes.map((episode) => {
    const listed = episode.layers.annotation_review;
    if (listed?.state !== 'done') return episode;
    const [{ path, sha256 }] = listed.files;
    const { layers } = reviewSchema.parse(JSON.parse(readFileSync(join(folder, path), 'utf8')));
    const verdicts = Object.fromEntries(
      layers.map(({ layer, verdict }) => [layer, verdict as ReviewVerdict]),
    );
    return { ...episode, review: { verdicts, path, sha256 } };
  });
  return { ...list, episodes };
}

/** Options of an overlay. */
interface OverlayOptions {
  /** Output: `….mp4` for a film, any other name for a folder of pictures. */
  readonly to: string;
  /** Camera stream id; default: the first with annotations. */
  readonly camera?: string;
}

/** A drawn overlay. */
interface DrawnOverlay extends FilmAnswer {
  readonly path: string;
}

/** Frame rate for the progress estimate. */
const expectedRate_hz = 30;

const isFilm = (to: string): boolean => extname(to).toLowerCase() === '.mp4';

/** Throws `usage` unless exactly one episode is to be drawn. */
function requireOneEpisode(episodes: readonly JudgedEpisode[]): void {
  if (episodes.length === 1) return;
  throw new AssayError('usage', `--overlay takes one episode; found ${episodes.length}`, {
    advice: `choose one, such as --episodes ${episodes[0].name}`,
  });
}

interface FilmInputs {
  readonly episode: JudgedEpisode;
  readonly done: ReadonlyMap<JobLayerId, DoneRow>;
  readonly pictures: PictureSources;
}

/**
 * Draws the overlay in a worker thread; the output appears only when complete. Throws `usage`, `output_unwritable`,
 * and as `drawOverlayFilm`.
 */
async function drawEpisodeFilm(
  { to, camera }: OverlayOptions,
  { episode, done, pictures }: FilmInputs,
  { threads, signal, meter }: LocalWork,
): Promise<DrawnOverlay> {
  const kind = isFilm(to) ? 'mp4' : 'png';
  const outputs: Partial<Record<LayerId, StoredOutput>> = {};
  const layers: OverlayLayer[] = [];
  for (const [layer, row] of done) {
    // A review concerns layers, not pictures.
    if (layer === 'annotation_review') continue;
    outputs[layer] = toStoredOutput(row);
    layers.push({ layer, parts: row.parts });
  }
  if (layers.length === 0)
    throw new AssayError('unreadable_input', 'no layer has anything to draw for this episode');
  const staged = kind === 'mp4' ? stageFile(to) : stageFolder(to);
  // Estimated from a common frame rate; the real number is not known yet.
  const expected = Math.ceil(episode.duration_s * (kind === 'mp4' ? expectedRate_hz : 1));
  meter.stage('draw', { episodes: expected, bytes: 0 });
  try {
    const request: FilmRequest = {
      type: 'film',
      key: 'annotate',
      pictures,
      to: { kind, path: staged.path },
      item: toJson(toAnnotateItem(0, episode, outputs)),
      layers: toJson<readonly OverlayLayer[]>(layers),
      ...(camera === undefined ? {} : { camera }),
    };
    const onProgress = (drawn: number) => meter.add(drawn, 0);
    const answer = await threads.do(request, { signal, onProgress });
    staged.finish();
    return { path: to, ...answer };
  } catch (thrown) {
    staged.discard();
    throw thrown;
  }
}
