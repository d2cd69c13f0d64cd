import { parseJson } from '#core';
import { sketchBudget } from '#quality/report';
import { TempFiles } from '../spool/temp-files.ts';
import type { Found } from './look/datasets.ts';
import type { Keep } from './measure/episode-measurer.ts';
import { UnitPipeline } from './measure/unit-pipeline.ts';
import type { RunBrief, RunDataset } from './messages.ts';
import type { DatasetRef, StepOptions } from './tasks.ts';

export interface OpenRunHooks {
  readonly onProgress: (episodes: number, bytes: number) => void;
}

/** Everything a thread has open of one run, until it works on another. */
export class OpenRun {
  readonly run: RunBrief;
  readonly datasets: readonly RunDataset[];
  readonly #abort = new AbortController();
  readonly #temp = new TempFiles();
  readonly #lent: readonly Found[];
  readonly #hooks: OpenRunHooks;
  #pipeline: UnitPipeline | null = null;
  #ended: Promise<void> | null = null;
  #onKept: Keep = () => undefined;

  /** `lent`: the datasets as a look left them open, or none. */
  constructor(run: RunBrief, lent: readonly Found[], hooks: OpenRunHooks) {
    this.run = run;
    this.datasets = parseJson(run.datasets);
    this.#lent = lent;
    this.#hooks = hooks;
  }

  /** Measures with what is kept of each episode going to `onKept`. */
  pipeline(onKept: Keep): UnitPipeline {
    this.#onKept = onKept;
    this.#pipeline ??= this.#openPipeline();
    return this.#pipeline;
  }

  /** Ends what is being measured, decoders at once and not after the pictures that they are at; it is of no use after that. */
  abort(): void {
    this.#abort.abort();
    this.#ended ??= this.#pipeline?.close() ?? null;
    this.#ended?.catch(() => {});
  }

  async close(): Promise<void> {
    this.abort();
    await this.#ended;
    for (const { dataset } of this.#lent) await dataset.close().catch(() => {});
    this.#temp.close();
  }

  #openPipeline(): UnitPipeline {
    const start = { options: this.#options(), datasets: this.datasets.map((row) => this.#ref(row)) };
    const pipeline = new UnitPipeline({ ...start, spools: [-1, -1, -1] }, () => this.#temp.open(), {
      signal: this.#abort.signal,
      onProgress: this.#hooks.onProgress,
      onKept: (kept, episode) => this.#onKept(kept, episode),
    });
    for (const [place, { dataset }] of this.#lent.entries()) pipeline.lend(place, dataset);
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
      // Episodes without pictures are drawn from their numbers when somebody asks for the report.
      render: 'pictures',
      thumbnails: 6,
      sketch_codes: sketchBudget(episodes_expected),
      media_children,
      // A service has a thread like this for each core.
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
