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
import { WorkThreads } from '../../durable/threads/work-threads.ts';
import { writeWhole } from '../../steps/judge/receipt-files.ts';
import type { FilmRequest, PictureSources } from '../../steps/messages.ts';
import type { FilmAnswer, FilmedLayer, StoredOutput } from '../../steps/units.ts';
import { type StagedFolder, stageFile, stageFolder } from '../export/staged-folder.ts';
import type { AssessHooks } from '../options.ts';
import { refuseOverlap } from '../output/output-folder.ts';
import { ProgressMeter } from '../progress.ts';
import { annotateEpisodes, episodeItem, pictureSources, storedOutput } from './annotate-episodes.ts';
import { type AnnotationList, AnnotationLog, ArtifactFiles } from './annotation-list.ts';
import { type AskedLayer, type ChosenLane, chooseLanes, type ModelChoice } from './lane-choice.ts';
import type { LocalWork } from './local-work.ts';
import { lookAndBrief, measureEpisodes } from './measure-episodes.ts';

export interface AnnotateOptions {
  readonly layers: readonly AskedLayer[];
  readonly models: ModelChoice;
  /** Ids of episodes; absent: all. */
  readonly only?: readonly string[];
  /** Also draw what was made of one episode over its pictures. */
  readonly overlay?: OverlayWish;
  /** Threads; absent: one a processor. What is written does not depend on it. */
  readonly workers?: number;
}

/** Name of the list of what was made. */
export const annotationsFile = 'annotations.json';
/** Below the staged folder: gone before it gets its name, and with it where the process was killed. */
const scratchFolder = '.work';

/** What was made. */
export interface Annotations {
  readonly list: AnnotationList;
  /** Null: none was asked for. */
  readonly overlay: DrawnOverlay | null;
}

/**
 * Annotates every episode under `path` in some layers and writes the artifacts, byte for byte those that a service keeps
 * for the same episodes and knobs, into `out`; null: they are not kept. The folder appears whole or not at all. Throws as `findDatasets`, and
 * `usage`, `layer_unavailable`, `unreadable_input`, `cancelled`, `output_unwritable`.
 */
export async function annotateInto(
  out: string | null,
  path: string,
  options: AnnotateOptions,
  hooks: AssessHooks & { readonly signal: AbortSignal },
): Promise<Annotations> {
  const lanes = await chooseLanes(options.layers, options.models);
  if (out !== null) refuseOverlap(out, path);
  const staged = out === null ? passingFolder() : stageFolder(out);
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
  const work = { threads, meter, signal: hooks.signal, at_once: 8 };
  try {
    const made = await annotateAll(
      { path: resolve(path), folder: staged.path, scratch, lanes },
      options,
      work,
    );
    await threads.close();
    rmSync(scratch, { recursive: true, force: true });
    writeWhole(join(staged.path, annotationsFile), `${JSON.stringify(made.list, null, 2)}\n`);
    staged.finish();
    return made;
  } catch (thrown) {
    await threads.close();
    staged.discard();
    throw hooks.signal.aborted
      ? new AssayError('cancelled', 'the work was stopped; nothing was written')
      : thrown;
  } finally {
    await models.close();
  }
}

/** A folder that is gone when the work is over. */
function passingFolder(): StagedFolder {
  const path = mkdtempSync(join(tmpdir(), 'assay-annotate-'));
  const discard = () => rmSync(path, { recursive: true, force: true });
  return { path, finish: discard, discard };
}

interface Place {
  readonly path: string;
  readonly folder: string;
  readonly scratch: string;
  readonly lanes: readonly ChosenLane[];
}

async function annotateAll(
  { path, folder, scratch, lanes }: Place,
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
  demandEpisodes(measured.episodes, findings, path);
  const episodes = only === undefined ? measured.episodes : chosen(measured.episodes, only);
  if (overlay !== undefined) demandOne(episodes);
  const log = new AnnotationLog(lanes, episodes);
  const done = new Map<JobLayerId, DoneRow>();
  const files = new ArtifactFiles(folder, join(scratch, 'blobs'), looked.datasets.length > 1);
  work.meter.stage('annotate', { episodes: log.due, bytes: 0 });
  await annotateEpisodes({
    ...{ ...work, lanes, episodes, recordings, datasets: looked.datasets },
    onAnnotated: async (lane, place, annotated) => {
      const { id } = lanes[lane].row;
      const isDone = annotated.state === 'done';
      if (overlay !== undefined && isDone) done.set(id, annotated.row);
      log.add(
        lane,
        place,
        annotated,
        isDone ? await files.write(id, annotated.row, episodes[place], place) : [],
      );
    },
  });
  const told = log.list({ assay: engine.version, source: basename(path), findings });
  const list = addVerdicts(folder, told);
  const pictures = pictureSources({ datasets: looked.datasets, recordings });
  const drawn =
    overlay === undefined ? null : await filmEpisode(overlay, { episode: episodes[0], done, pictures }, work);
  return { list, overlay: drawn };
}

function demandEpisodes(
  episodes: readonly JudgedEpisode[],
  findings: readonly Finding[],
  path: string,
): void {
  if (episodes.length > 0) return;
  const first = findings.find(({ severity }) => severity === 'error' || severity === 'blocking');
  const why = first === undefined ? '' : `: ${first.message}`;
  throw new AssayError('unreadable_input', `${path} has no episode to annotate${why}`, {
    path: first?.path ?? path,
    advice: first?.advice ?? 'assay inspect PATH says what is in it',
  });
}

function chosen(episodes: readonly JudgedEpisode[], only: readonly string[]): readonly JudgedEpisode[] {
  const names = new Set(episodes.map(({ name }) => name));
  const unknown = only.find((name) => !names.has(name));
  if (unknown !== undefined)
    throw new AssayError('usage', `there is no episode ${unknown}`, {
      advice: `name one such as ${episodes[0].name}`,
    });
  const wanted = new Set(only);
  return episodes.filter(({ name }) => wanted.has(name));
}

const reviewSchema = z.looseObject({
  layers: z.array(z.looseObject({ layer: z.string(), verdict: z.string() })),
});

/** Names in the list what reviews have said of each episode's layers. */
function addVerdicts(folder: string, list: AnnotationList): AnnotationList {
  const episodes = list.episodes.map((episode) => {
    const told = episode.layers.annotation_review;
    if (told?.state !== 'done') return episode;
    const [{ path, sha256 }] = told.files;
    const { layers } = reviewSchema.parse(JSON.parse(readFileSync(join(folder, path), 'utf8')));
    const verdicts = Object.fromEntries(
      layers.map(({ layer, verdict }) => [layer, verdict as ReviewVerdict]),
    );
    return { ...episode, review: { verdicts, path, sha256 } };
  });
  return { ...list, episodes };
}

/** Layers drawn over the pictures of an episode. */
interface OverlayWish {
  /** `….mp4`: a film; another name: a folder of pictures. */
  readonly to: string;
  /** Id of the stream; absent: the first that a layer says something of. */
  readonly camera?: string;
}

/** What was drawn. */
interface DrawnOverlay extends FilmAnswer {
  readonly path: string;
}

/** Pictures of a second. */
const usual_hz = 30;

const isFilm = (to: string): boolean => extname(to).toLowerCase() === '.mp4';

/** Throws `usage` unless it is one episode that is to be drawn. */
function demandOne(episodes: readonly JudgedEpisode[]): void {
  if (episodes.length === 1) return;
  throw new AssayError('usage', `an overlay is of one episode, and there are ${episodes.length}`, {
    advice: `name one, such as --episodes ${episodes[0].name}`,
  });
}

interface Filmed {
  readonly episode: JudgedEpisode;
  readonly done: ReadonlyMap<JobLayerId, DoneRow>;
  readonly pictures: PictureSources;
}

/** Draws in a thread; the film appears whole or not at all. Throws `usage`, `output_unwritable`, and as `film`. */
async function filmEpisode(
  { to, camera }: OverlayWish,
  { episode, done, pictures }: Filmed,
  { threads, signal, meter }: LocalWork,
): Promise<DrawnOverlay> {
  const kind = isFilm(to) ? 'mp4' : 'png';
  const outputs: Partial<Record<LayerId, StoredOutput>> = {};
  const layers: FilmedLayer[] = [];
  for (const [layer, row] of done) {
    // A review speaks of layers, not of pictures.
    if (layer === 'annotation_review') continue;
    outputs[layer] = storedOutput(row);
    layers.push({ layer, parts: row.parts });
  }
  if (layers.length === 0)
    throw new AssayError('unreadable_input', 'no layer says anything of the episode, so nothing is drawn');
  const staged = kind === 'mp4' ? stageFile(to) : stageFolder(to);
  // What most cameras give; how many there are is not known before.
  const expected = Math.ceil(episode.duration_s * (kind === 'mp4' ? usual_hz : 1));
  meter.stage('draw', { episodes: expected, bytes: 0 });
  try {
    const request: FilmRequest = {
      type: 'film',
      key: 'annotate',
      pictures,
      to: { kind, path: staged.path },
      item: toJson(episodeItem(0, episode, outputs)),
      layers: toJson<readonly FilmedLayer[]>(layers),
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
