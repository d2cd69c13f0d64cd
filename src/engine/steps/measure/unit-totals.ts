import { AssayError } from '#core';
import type { Incomplete } from '#core/api';
import type { Episode, EpisodeCut, Finding, Kind } from '#core/episode';
import type { Unreadable } from '#formats';
import type { Chunk } from '#formats/recipes';
import { type ComparisonRows, comparisons } from '#quality/readiness';
import type { EmbeddedEpisode } from '../embed/embed-episode.ts';
import type { Kept, MeasuredUnit, StreamTotal, Task } from '../tasks.ts';
import { RowPacker } from './row-pack.ts';
import { unfinishedEpisode } from './unfinished.ts';

/** Of a unit; where more cannot be measured, the rest cannot either. */
const mostUnfinished = 20;

/** What a unit adds up to. */
export class UnitTotals {
  readonly #task: Task;
  readonly #kinds: Partial<Record<Kind, number>> = {};
  readonly #streams: Record<string, StreamTotal> = {};
  readonly #findings: Finding[] = [];
  readonly #ids: string[] = [];
  readonly #indices: number[] = [];
  readonly #rows = comparisons.ids.map((id) => ({ id, packer: new RowPacker() }));
  readonly #chunks: Chunk[] = [];
  readonly #unfinished: { readonly index: number; readonly incomplete: Incomplete }[] = [];
  readonly #embedded: EmbeddedEpisode[] = [];
  #unreadable = 0;

  constructor(task: Task) {
    this.#task = task;
  }

  unreadable({ finding }: Unreadable): void {
    this.#unreadable++;
    this.#findings.push(finding);
  }

  /** Takes down an episode that could not be measured here. Throws what says something else, or ends the unit. */
  unfinished(episode: Episode, thrown: unknown): null {
    if (!(thrown instanceof AssayError) || thrown.code !== 'unfinished') throw thrown;
    if (this.#unfinished.length >= mostUnfinished) throw thrown;
    this.#unfinished.push({ index: episode.index, incomplete: unfinishedEpisode(episode, thrown) });
    return null;
  }

  episode(episode: Episode, kind: Kind, rows: ComparisonRows): void {
    for (const { id, packer } of this.#rows) packer.add(rows[id] ?? null);
    this.#ids.push(episode.id);
    this.#indices.push(episode.index);
    if (episode.cut !== undefined) this.#chunks.push(chunkOf(episode, episode.cut));
    this.#kinds[kind] = (this.#kinds[kind] ?? 0) + 1;
    for (const { id, role, modality, sample_count } of episode.streams) {
      this.#streams[id] ??= { role, modality, samples: 0, episodes: 0 };
      this.#streams[id].samples += sample_count;
      this.#streams[id].episodes++;
    }
  }

  embedded(episode: EmbeddedEpisode): void {
    this.#embedded.push(episode);
  }

  #packed(): Record<string, Uint8Array> {
    const filled = this.#rows.filter(({ packer }) => !packer.empty);
    return Object.fromEntries(filled.map(({ id, packer }) => [id, packer.bytes()]));
  }

  #inOrder(): Incomplete[] {
    return this.#unfinished.sort((a, b) => a.index - b.index).map(({ incomplete }) => incomplete);
  }

  close(kept: Kept): MeasuredUnit {
    return {
      place: this.#task.place,
      dataset: this.#task.dataset,
      kept,
      episodes: this.#ids.length,
      kinds: this.#kinds,
      streams: this.#streams,
      ...(this.#chunks.length === 0 ? {} : { chunks: this.#chunks }),
      rows: { episodes: this.#ids, indices: this.#indices, packed: this.#packed() },
      ...(this.#embedded.length === 0 ? {} : { embedded: this.#embedded }),
      findings: this.#findings,
      unreadable: this.#unreadable,
      ...(this.#unfinished.length === 0 ? {} : { unfinished: this.#inOrder() }),
    };
  }
}

function chunkOf({ id, streams }: Episode, { recording, from_s, to_s, begins, ends }: EpisodeCut): Chunk {
  return { id, recording, from_s, to_s, begins, ends, streams: streams.map((stream) => stream.id) };
}
