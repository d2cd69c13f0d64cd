import type { Claim, DatasetFacts } from '#formats';
import { sketchBudget } from '#report';
import type { Found } from '../../assessment/datasets.ts';
import type { Keep } from '../../assessment/episode-measurer.ts';
import type { DatasetRef, Job } from '../../assessment/messages.ts';
import { TempFiles } from '../../assessment/temp-files.ts';
import { UnitPipeline } from '../../assessment/unit-pipeline.ts';
import type { RunBrief } from './thread-messages.ts';

/** A dataset of a run as the store keeps it, for threads. */
export interface DatasetOrder {
  readonly place: number;
  readonly path: string;
  readonly format: string;
  readonly claim: Claim;
  readonly root: string;
  readonly facts: DatasetFacts;
}

export interface OpenRunHooks {
  readonly onProgress: (episodes: number, bytes: number) => void;
}

/** Everything a thread has open of one run, until it works on another. */
export class OpenRun {
  readonly run: RunBrief;
  readonly datasets: readonly DatasetOrder[];
  readonly #abort = new AbortController();
  readonly #temp = new TempFiles();
  readonly #lent: readonly Found[];
  readonly #hooks: OpenRunHooks;
  #pipeline: UnitPipeline | null = null;
  #onKept: Keep = () => undefined;

  /** `lent`: the datasets as a look left them open, or none. */
  constructor(run: RunBrief, lent: readonly Found[], hooks: OpenRunHooks) {
    this.run = run;
    this.datasets = JSON.parse(run.datasets);
    this.#lent = lent;
    this.#hooks = hooks;
  }

  /** Measures with what is kept of each episode going to `onKept`. */
  pipeline(onKept: Keep): UnitPipeline {
    this.#onKept = onKept;
    this.#pipeline ??= this.#openPipeline();
    return this.#pipeline;
  }

  /** Ends what is being measured; it is of no use after that. */
  abort(): void {
    this.#abort.abort();
  }

  async close(): Promise<void> {
    this.abort();
    await this.#pipeline?.close();
    for (const { dataset } of this.#lent) await dataset.close().catch(() => {});
    this.#temp.close();
  }

  #openPipeline(): UnitPipeline {
    const start = { job: this.#job(), datasets: this.datasets.map((row) => this.#ref(row)) };
    const pipeline = new UnitPipeline({ ...start, spools: [-1, -1, -1] }, () => this.#temp.open(), {
      signal: this.#abort.signal,
      onProgress: this.#hooks.onProgress,
      onKept: (kept, episode) => this.#onKept(kept, episode),
    });
    for (const [place, { dataset }] of this.#lent.entries()) pipeline.lend(place, dataset);
    return pipeline;
  }

  #job(): Job {
    const { settings, kind, episodes_expected, media_children } = this.run;
    return {
      settings,
      kind,
      limit: null,
      seal: true,
      receipts: false,
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

  #ref({ place, claim, root }: DatasetOrder): DatasetRef {
    const path = this.run.recordings;
    return { index: place, path, root, claim, receipts_folder: null, receipts_name: '', many: false };
  }
}
