import { parseJson } from '#core';
import { maxSketchSamples } from '#quality/report';
import { TempFiles } from '../spool.ts';
import type { OpenedDataset } from './find-datasets.ts';
import type { EpisodeSink } from './measure/episode-measurer.ts';
import { UnitPipeline } from './measure/unit-pipeline.ts';
import type { RunBrief, RunDataset } from './messages.ts';
import type { DatasetRef, StepOptions } from './tasks.ts';

/** Callbacks of an open run. */
export interface OpenRunHooks {
  readonly onProgress: (episodes: number, bytes: number) => void;
}

/** State that a thread keeps open for one run, until it works on another. */
export class OpenRun {
  readonly run: RunBrief;
  readonly datasets: readonly RunDataset[];
  readonly #abort = new AbortController();
  readonly #temp = new TempFiles();
  readonly #preopened: readonly OpenedDataset[];
  readonly #hooks: OpenRunHooks;
  #pipeline: UnitPipeline | null = null;
  #closing: Promise<void> | null = null;
  #onMeasured: EpisodeSink = () => undefined;

  /** `lent` are datasets that an earlier step left open; may be empty. */
  constructor(run: RunBrief, lent: readonly OpenedDataset[], hooks: OpenRunHooks) {
    this.run = run;
    this.datasets = parseJson(run.datasets);
    this.#preopened = lent;
    this.#hooks = hooks;
  }

  /** Returns the run's pipeline, set up to pass each measured episode to `onKept`. */
  pipeline(onKept: EpisodeSink): UnitPipeline {
    this.#onMeasured = onKept;
    this.#pipeline ??= this.#openPipeline();
    return this.#pipeline;
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
    for (const { dataset } of this.#preopened) await dataset.close().catch(() => {});
    this.#temp.close();
  }

  #openPipeline(): UnitPipeline {
    const start = { options: this.#options(), datasets: this.datasets.map((row) => this.#ref(row)) };
    const pipeline = new UnitPipeline({ ...start, spools: [-1, -1, -1] }, () => this.#temp.open(), {
      signal: this.#abort.signal,
      onProgress: this.#hooks.onProgress,
      onMeasured: (kept, episode) => this.#onMeasured(kept, episode),
    });
    for (const [place, { dataset }] of this.#preopened.entries()) pipeline.useDataset(place, dataset);
    return pipeline;
  }

  #options(): StepOptions {
    const { settings, kind, episodes_expected, media_children } = this.run;
    return {
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
  }

  #ref({ place, recognised, root }: RunDataset): DatasetRef {
    const path = this.run.recordings;
    return { index: place, path, root, recognised, receipts_folder: null, receipts_name: '', many: false };
  }
}
