import { closeDuckDb } from '#formats';
import { programStamp } from '../cache/program-stamp.ts';
import type { ReportFilm } from '../steps/camera-films.ts';
import { concludeComparison } from '../steps/comparer.ts';
import type { ExportedSet, ExportPlan } from '../steps/export/export-request.ts';
import {
  type DatasetInfos,
  findDatasets,
  type OpenedDatasets,
  toDatasetInfos,
} from '../steps/find-datasets.ts';
import type { Inspection } from '../steps/inspect.ts';
import { packVerdicts } from '../steps/judge/verdict.ts';
import { UnitPipeline } from '../steps/measure/unit-pipeline.ts';
import type { WorkerStart } from '../steps/tasks.ts';
import { type RequestHandler, serveRequests } from '../workers/serve-requests.ts';
import type {
  AssessAnswer,
  AssessEvent,
  AssessRequest,
  CheckExportTask,
  ExportTask,
  FilmsTask,
  InspectTask,
  LookTask,
} from './messages.ts';

const progressInterval_ms = 100;

/** Handles the requests of an assessment inside a worker thread. */
class AssessHandler implements RequestHandler<AssessRequest, AssessAnswer, WorkerStart> {
  readonly #emit: (event: AssessEvent) => void;
  readonly #abort = new AbortController();
  #found: OpenedDatasets['found'] = [];
  #pipeline: UnitPipeline | null = null;
  #closed: Promise<void> | null = null;
  #progress = { episodes: 0, bytes: 0, sent_ms: 0 };

  constructor(say: (event: AssessEvent) => void) {
    this.#emit = say;
  }

  note(start: WorkerStart): void {
    this.#pipeline = new UnitPipeline(start, (which) => start.spools[which], {
      signal: this.#abort.signal,
      onProgress: (episodes, bytes) => {
        this.#progress.episodes += episodes;
        this.#progress.bytes += bytes;
        if (performance.now() - this.#progress.sent_ms >= progressInterval_ms) this.#sendProgress();
      },
      onWarning: (text) => this.#emit({ type: 'warning', text }),
    });
    for (const [index, { dataset }] of this.#found.entries()) this.#pipeline.useDataset(index, dataset);
  }

  async do(request: AssessRequest): Promise<AssessAnswer> {
    const answer = await this.#answer(request);
    this.#sendProgress();
    return answer;
  }

  /** Ends the worker for good; decoders end even in the middle of a picture. */
  cancel(): void {
    this.#abort.abort();
    void this.close();
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.#pipeline?.close();
    await Promise.all(this.#found.map(({ dataset }) => dataset.close().catch(() => {})));
    // DuckDB caches footers; the next owner must read the files as they are then.
    await closeDuckDb();
  }

  async #answer(request: AssessRequest): Promise<AssessAnswer> {
    if (request.type === 'look') return { type: 'looked', seen: await this.#look(request.task) };
    if (request.type === 'inspect')
      return { type: 'inspected', inspection: await this.#inspect(request.task) };
    if (request.type === 'check-export') {
      await this.#checkExport(request.task);
      return { type: 'export-checked' };
    }
    if (request.type === 'plan-export')
      return { type: 'export-planned', plan: await this.#planExport(request.task) };
    if (request.type === 'export') return { type: 'exported', set: await this.#export(request.task) };
    if (request.type === 'films') return { type: 'filmed', films: await this.#films(request.task) };
    if (request.type === 'measure')
      return { type: 'measured', unit: await this.#pipeline!.measure(request.task) };
    // All pictures are measured when comparing or judging begins.
    await this.#pipeline!.endDecoders();
    if (request.type === 'compare') return { type: 'compared', result: concludeComparison(request.task) };
    const unit = this.#pipeline!.judge(request.task);
    return { type: 'judged', unit: { ...unit, verdicts: packVerdicts(unit.verdicts) } };
  }

  async #look(task: LookTask): Promise<DatasetInfos> {
    const started_ms = Date.now();
    const { cache_folder: folder } = task;
    const cache = folder === undefined ? null : { folder, started_ms, program: programStamp() };
    return toDatasetInfos(await this.#find(task), cache);
  }

  async #inspect({ recipe, ...task }: InspectTask): Promise<Inspection> {
    const { inspectDatasets } = await import('../steps/inspect.ts');
    const own = recipe === undefined ? {} : { recipe };
    const onStep = (step: string) => this.#step(step);
    return inspectDatasets(await this.#find(task), { signal: this.#abort.signal, onStep, ...own });
  }

  async #checkExport({ check, ...task }: CheckExportTask): Promise<void> {
    const { checkExport } = await import('../steps/export/check-export.ts');
    checkExport(await this.#findAll(task), check);
  }

  async #planExport({ set, ...task }: ExportTask): Promise<ExportPlan | null> {
    const { planExport } = await import('../steps/export/export-set.ts');
    const onProgress = () => this.#sendProgress();
    return planExport(await this.#findAll(task), set, { signal: this.#abort.signal, onProgress });
  }

  async #export({ set, ...task }: ExportTask): Promise<ExportedSet> {
    const { exportSet } = await import('../steps/export/export-set.ts');
    const onProgress = (episodes: number) => {
      this.#progress.episodes += episodes;
      this.#sendProgress();
    };
    const { AnnotationFolder } = await import('../steps/annotations/annotation-folder.ts');
    const { exportableLayers } = await import('../steps/annotations/exported-layers.ts');
    const annotations =
      set.annotations === undefined
        ? {}
        : { annotations: new AnnotationFolder(set.annotations).source(exportableLayers(set.format)) };
    return exportSet(await this.#findAll(task), set, {
      signal: this.#abort.signal,
      onProgress,
      ...annotations,
    });
  }

  async #films({ folder, episodes, ...task }: FilmsTask): Promise<readonly ReportFilm[]> {
    const { writeFilms } = await import('../steps/camera-films.ts');
    const onStep = (done: number) => {
      this.#progress.episodes += done;
      this.#sendProgress();
    };
    return writeFilms(await this.#find(task), { folder, episodes }, { signal: this.#abort.signal, onStep });
  }

  async #find({ path, given_up }: Omit<LookTask, 'cache_folder'>): Promise<OpenedDatasets> {
    const onListed = (bytes: number) => this.#emit({ type: 'listed', bytes });
    const all = await findDatasets(path, { given_up, onListed, onStep: (step) => this.#step(step) });
    this.#found = [...this.#found, ...all.found];
    return all;
  }

  async #findAll({ paths, given_up }: Pick<ExportTask, 'paths' | 'given_up'>): Promise<OpenedDatasets[]> {
    const all: OpenedDatasets[] = [];
    for (const path of paths) all.push(await this.#find({ path, given_up }));
    return all;
  }

  #step(step: string): void {
    this.#abort.signal.throwIfAborted();
    this.#emit({ type: 'step', step });
  }

  #sendProgress(): void {
    const { episodes, bytes } = this.#progress;
    this.#progress = { episodes: 0, bytes: 0, sent_ms: performance.now() };
    this.#emit({ type: 'progress', episodes, bytes });
  }
}

serveRequests((say: (event: AssessEvent) => void) => new AssessHandler(say));
