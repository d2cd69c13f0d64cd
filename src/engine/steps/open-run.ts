import { parseJson } from '#core';
import { maxSketchSamples } from '#quality/report';
import type { OpenedDataset } from './find-datasets.ts';
import type { EpisodeSink } from './measure/episode-measurer.ts';
import { UnitPipeline } from './measure/unit-pipeline.ts';
import type { RunBrief, RunDataset } from './messages.ts';
import type { DatasetRef, StepOptions, WorkerStart } from './tasks.ts';

/** Callbacks of an open run. */
export interface OpenRunHooks {
  readonly onProgress: (episodes: number, bytes: number) => void;
  readonly onWarning?: (text: string) => void;
}

/** State that a thread keeps open for one run, until it works on another. */
export class OpenRun {
  /** Unique per run and attempt. */
  readonly key: string;
  readonly #start: WorkerStart;
  readonly #abort = new AbortController();
  readonly #found: readonly OpenedDataset[];
  readonly #hooks: OpenRunHooks;
  #pipeline: UnitPipeline | null = null;
  #closing: Promise<void> | null = null;
  #sink: EpisodeSink | null = null;

  /** `found` are the datasets that an earlier request left open, in the order of `start.datasets`; may be empty. */
  constructor(key: string, start: WorkerStart, found: readonly OpenedDataset[], hooks: OpenRunHooks) {
    this.key = key;
    this.#start = start;
    this.#found = found;
    this.#hooks = hooks;
  }

  /**
   * Returns the run's pipeline, set up to pass each measured episode to `sink`; null: it keeps them itself. A run has
   * either a sink for all its units or for none.
   */
  pipeline(sink: EpisodeSink | null): UnitPipeline {
    this.#sink = sink;
    this.#pipeline ??= this.#openPipeline(sink !== null);
    return this.#pipeline;
  }

  /** Closes the decoders, to free their memory; they are reopened when needed. */
  async endDecoders(): Promise<void> {
    await this.#pipeline?.endDecoders();
  }

  /** Aborts measuring, including decoders in the middle of a picture. The run cannot be used afterwards. */
  abort(): void {
    this.#abort.abort();
    this.#closing ??= this.#pipeline?.close() ?? null;
    this.#closing?.catch(() => {});
  }

  /** Aborts the work and closes everything. */
  async close(): Promise<void> {
    this.abort();
    await this.#closing;
    for (const { dataset } of this.#found) await dataset.close().catch(() => {});
  }

  #openPipeline(hasSink: boolean): UnitPipeline {
    const { spools } = this.#start;
    const { onProgress, onWarning } = this.#hooks;
    const pipeline = new UnitPipeline(this.#start, (which) => spools[which], {
      signal: this.#abort.signal,
      onProgress,
      ...(onWarning === undefined ? {} : { onWarning }),
      ...(hasSink ? { onMeasured: (kept, episode) => this.#sink?.(kept, episode) } : {}),
    });
    for (const [place, { dataset }] of this.#found.entries()) pipeline.useDataset(place, dataset);
    return pipeline;
  }
}

/** A run of a service, whose results go to the blob store. */
export class StoredRun extends OpenRun {
  readonly run: RunBrief;
  readonly datasets: readonly RunDataset[];

  constructor(run: RunBrief, found: readonly OpenedDataset[], hooks: OpenRunHooks) {
    const datasets = parseJson(run.datasets);
    super(run.key, toWorkerStart(run, datasets), found, hooks);
    this.run = run;
    this.datasets = datasets;
  }
}

function toWorkerStart(run: RunBrief, datasets: readonly RunDataset[]): WorkerStart {
  const { settings, kind, episodes_expected, media_children } = run;
  const options: StepOptions = {
    settings,
    kind,
    limit: null,
    seal: true,
    receipts: false,
    embed: 'kept',
    // Episodes without pictures are drawn from their numbers when the report is requested.
    render: 'pictures',
    thumbnails: 6,
    sketch_codes: maxSketchSamples(episodes_expected),
    media_children,
    // A service has one such thread per core.
    reader_threads: 1,
    hold: false,
    spool_bytes: 8e6,
    receipts_from: '',
  };
  const refs = datasets.map(({ place, recognised, root }): DatasetRef => {
    const path = run.recordings;
    return { index: place, path, root, recognised, receipts_folder: null, receipts_name: '', many: false };
  });
  // All episodes go to the blob store: nothing is spooled.
  return { options, datasets: refs, spools: [-1, -1, -1] };
}
