import { AssayError } from '#core';
import type { OpenDataset, RecognisedDataset } from '#formats';
import { reopen } from '#formats';
import { createMediaService, type MediaService } from '#io/media';
import type { RecordingsRef, RecordingsSource } from '#io/sources';
import { ModelClient, type ModelRef, type ModelSession } from '#labels/models';
import { closeRecordings, openRecordings } from '../../recordings/open-recordings.ts';

interface OpenedDataset {
  readonly key: string;
  readonly source: RecordingsSource;
  readonly dataset: OpenDataset;
}

/** What lanes of a thread share, each started when a lane first needs it: a decoder, the way to models, a recording. */
export class LaneResources {
  readonly #modelSocket: string | null;
  #media: MediaService | null = null;
  #models: ModelClient | null = null;
  #opened: OpenedDataset | null = null;
  /** Called while a decoder works, so that waiting for it counts as progress. */
  onAlive: () => void = () => {};

  /** `modelSocket`: of the process's `ModelHost`; null: it has none. */
  constructor(modelSocket: string | null) {
    this.#modelSocket = modelSocket;
  }

  get media(): MediaService {
    this.#media ??= createMediaService({ children: 1, onAlive: () => this.onAlive() });
    return this.#media;
  }

  session(ref: ModelRef, graph?: string): Promise<ModelSession> {
    if (this.#modelSocket === null) throw new AssayError('layer_unavailable', 'no models are run here');
    this.#models ??= new ModelClient(this.#modelSocket);
    return this.#models.session(ref, graph);
  }

  /** A dataset as it was found, opened again; it stays open until another one is asked for. */
  async dataset(recordings: RecordingsRef, recognised: RecognisedDataset): Promise<OpenDataset> {
    const key = JSON.stringify([recordings, recognised]);
    if (this.#opened?.key === key) return this.#opened.dataset;
    await this.#closeDataset();
    const source = await openRecordings(recordings);
    try {
      this.#opened = { key, source, dataset: await reopen(source, recognised) };
      return this.#opened.dataset;
    } catch (thrown) {
      await closeRecordings(source);
      throw thrown;
    }
  }

  async close(): Promise<void> {
    this.#models?.close();
    await Promise.all([this.#media?.close(), this.#closeDataset()]);
  }

  async #closeDataset(): Promise<void> {
    const opened = this.#opened;
    this.#opened = null;
    await opened?.dataset.close().catch(() => {});
    if (opened !== null) await closeRecordings(opened.source);
  }
}
