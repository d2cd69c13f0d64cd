import { closeDuckDb } from '#formats';
import { programStamp } from '../cache/program-stamp.ts';
import { conclude } from '../steps/compare/conclude.ts';
import type { ExportedSet, ExportPlan } from '../steps/export/export-task.ts';
import type { ReportFilm } from '../steps/films/write-films.ts';
import type { Inspection } from '../steps/inspect/inspect.ts';
import { packVerdicts } from '../steps/judge/verdict-pack.ts';
import { type FoundDatasets, findDatasets, type SeenDatasets, seenOf } from '../steps/look/datasets.ts';
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

const progressPause_ms = 100;

/** A worker of an assessment, inside its thread. */
class AssessHandler implements RequestHandler<AssessRequest, AssessAnswer, WorkerStart> {
  readonly #say: (event: AssessEvent) => void;
  readonly #abort = new AbortController();
  #found: FoundDatasets['found'] = [];
  #pipeline: UnitPipeline | null = null;
  #closed: Promise<void> | null = null;
  #progress = { episodes: 0, bytes: 0, sent_ms: 0 };

  constructor(say: (event: AssessEvent) => void) {
    this.#say = say;
  }

  note(start: WorkerStart): void {
    this.#pipeline = new UnitPipeline(start, (which) => start.spools[which], {
      signal: this.#abort.signal,
      onProgress: (episodes, bytes) => {
        this.#progress.episodes += episodes;
        this.#progress.bytes += bytes;
        if (performance.now() - this.#progress.sent_ms >= progressPause_ms) this.#sendProgress();
      },
      onWarning: (text) => this.#say({ type: 'warning', text }),
    });
    for (const [index, { dataset }] of this.#found.entries()) this.#pipeline.lend(index, dataset);
  }

  async do(request: AssessRequest): Promise<AssessAnswer> {
    const answer = await this.#answer(request);
    this.#sendProgress();
    return answer;
  }

  /** It is ended then, and does not start again: decoders end at once, not after the pictures that they are at. */
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
    // It remembers footers; the next call reads its files as they are then.
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
    // What is compared and judged is measured.
    await this.#pipeline!.endDecoders();
    if (request.type === 'compare') return { type: 'compared', result: conclude(request.task) };
    const unit = this.#pipeline!.judge(request.task);
    return { type: 'judged', unit: { ...unit, verdicts: packVerdicts(unit.verdicts) } };
  }

  async #look(task: LookTask): Promise<SeenDatasets> {
    const begun_ms = Date.now();
    const { cache_folder: folder } = task;
    const cache = folder === undefined ? null : { folder, begun_ms, program: programStamp() };
    return seenOf(await this.#find(task), cache);
  }

  async #inspect({ recipe, ...task }: InspectTask): Promise<Inspection> {
    const { inspectDatasets } = await import('../steps/inspect/inspect.ts');
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
    const { AnnotationFolder } = await import('../steps/annotated/annotation-folder.ts');
    const { layersFor } = await import('../steps/annotated/exported-layers.ts');
    const annotations =
      set.annotations === undefined
        ? {}
        : { annotations: new AnnotationFolder(set.annotations).source(layersFor(set.format, true)) };
    return exportSet(await this.#findAll(task), set, {
      signal: this.#abort.signal,
      onProgress,
      ...annotations,
    });
  }

  async #films({ folder, episodes, ...task }: FilmsTask): Promise<readonly ReportFilm[]> {
    const { writeFilms } = await import('../steps/films/write-films.ts');
    const onStep = (done: number) => {
      this.#progress.episodes += done;
      this.#sendProgress();
    };
    return writeFilms(await this.#find(task), { folder, episodes }, { signal: this.#abort.signal, onStep });
  }

  async #find({ path, given_up }: Omit<LookTask, 'cache_folder'>): Promise<FoundDatasets> {
    const onListed = (bytes: number) => this.#say({ type: 'listed', bytes });
    const all = await findDatasets(path, { given_up, onListed, onStep: (step) => this.#step(step) });
    this.#found = [...this.#found, ...all.found];
    return all;
  }

  async #findAll({ paths, given_up }: Pick<ExportTask, 'paths' | 'given_up'>): Promise<FoundDatasets[]> {
    const all: FoundDatasets[] = [];
    for (const path of paths) all.push(await this.#find({ path, given_up }));
    return all;
  }

  #step(step: string): void {
    this.#abort.signal.throwIfAborted();
    this.#say({ type: 'step', step });
  }

  #sendProgress(): void {
    const { episodes, bytes } = this.#progress;
    this.#progress = { episodes: 0, bytes: 0, sent_ms: performance.now() };
    this.#say({ type: 'progress', episodes, bytes });
  }
}

serveRequests((say: (event: AssessEvent) => void) => new AssessHandler(say));
