import { AssayError } from '#core';
import type { ComputeDevice, ModelSurfaceId, ModelUse } from '#core/api';
import { type OpenDataset, type RecognisedDataset, reopen } from '#formats';
import { createMediaService, type MediaService } from '#io/media';
import type { RecordingsRef, RecordingsSource } from '#io/sources';
import { ModelClient, type ModelRef, type ModelSession, type VisionUsage } from '#labels/models';
import { closeRecordings, openRecordings } from '../../open-recordings.ts';

interface CachedDataset {
  readonly key: string;
  readonly source: RecordingsSource;
  readonly dataset: OpenDataset;
}

/** Resources that the lanes of a thread share, created on first use: a decoder, a model client, an open dataset. */
export class LaneResources {
  readonly #modelSocket: string | null;
  #media: MediaService | null = null;
  #models: ModelClient | null = null;
  #opened: CachedDataset | null = null;
  /** Called while a decoder works, so that waiting for it counts as progress. */
  onAlive: () => void = () => {};

  /** `modelSocket`: socket of the process's `ModelHost`; null if it has none. */
  constructor(modelSocket: string | null) {
    this.#modelSocket = modelSocket;
  }

  get media(): MediaService {
    this.#media ??= createMediaService({ children: 1, onAlive: () => this.onAlive() });
    return this.#media;
  }

  /** Opens a session of a model. Throws `layer_unavailable` without a model host. */
  session(ref: ModelRef, graph?: string): Promise<ModelSession> {
    if (this.#modelSocket === null)
      throw new AssayError('layer_unavailable', 'models are not available here');
    this.#models ??= new ModelClient(this.#modelSocket);
    return this.#models.session(ref, graph);
  }

  /** Returns the open dataset; reopens it unless it was the last one requested, and closes that one first. */
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

  /** Closes the decoder, the model client and the open dataset. */
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

/** Resource usage of a lane on one episode, besides time. */
export class LaneMeter {
  readonly #uses = new Map<string, ModelUse>();
  readonly tokens = new TokenCount();
  /** Device of its models: `gpu` if any of them ran there. */
  device: ComputeDevice = 'cpu';
  /** First device or provider that was to run a model but could not, with the reason; `null` if there was none. */
  device_note: string | null = null;

  /** Returns the models and algorithms that the lane used, in the order of their first use. */
  get models(): readonly ModelUse[] {
    return [...this.#uses.values()];
  }

  /** Records that a graph of a model was loaded, with its device and files. */
  addSession(surface: ModelSurfaceId, session: ModelSession): void {
    const { model, runtime, device, passed_over, files } = session;
    if (device === 'gpu') this.device = device;
    this.device_note ??= passed_over;
    this.#add({ surface, model, runtime, device, files: [...files] });
  }

  addAlgorithm(surface: ModelSurfaceId, model: string): void {
    this.#add({ surface, model, runtime: 'algorithm', device: 'cpu', files: [] });
  }

  /** Records an answer of a vision endpoint. */
  addAnswer(surface: ModelSurfaceId, model: string): void {
    this.#add({ surface, model, runtime: 'endpoint', device: null, files: [] });
  }

  #add(use: ModelUse): void {
    const key = `${use.surface} ${use.model}`;
    const known = this.#uses.get(key)?.files ?? [];
    const more = use.files.filter(({ name }) => !known.some((file) => file.name === name));
    this.#uses.set(key, { ...use, files: [...known, ...more] });
  }
}

/** Tokens of a lane's vision calls. */
class TokenCount implements VisionUsage {
  prompt_tokens = 0;
  completion_tokens = 0;

  add({ prompt_tokens, completion_tokens }: VisionUsage): void {
    this.prompt_tokens += prompt_tokens;
    this.completion_tokens += completion_tokens;
  }
}
