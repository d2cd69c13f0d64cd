import type { Episode, Finding, Kind } from '#episode';
import type { Unreadable } from '#formats';
import type { MeasuredUnit, StreamTotal } from './messages.ts';

/** What a unit adds up to. */
export class UnitTotals {
  readonly #place: number;
  readonly #kinds: Partial<Record<Kind, number>> = {};
  readonly #streams: Record<string, StreamTotal> = {};
  readonly #findings: Finding[] = [];
  readonly #rows: string[] = [];
  #episodes = 0;
  #unreadable = 0;

  constructor(place: number) {
    this.#place = place;
  }

  unreadable({ finding }: Unreadable): void {
    this.#unreadable++;
    this.#findings.push(finding);
  }

  episode(episode: Episode, kind: Kind, rows: object): void {
    this.#episodes++;
    this.#kinds[kind] = (this.#kinds[kind] ?? 0) + 1;
    this.#rows.push(JSON.stringify([episode.id, episode.index, rows]));
    for (const { id, role, modality, sample_count } of episode.streams) {
      this.#streams[id] ??= { role, modality, samples: 0, episodes: 0 };
      this.#streams[id].samples += sample_count;
      this.#streams[id].episodes++;
    }
  }

  close(): MeasuredUnit {
    return {
      place: this.#place,
      episodes: this.#episodes,
      kinds: this.#kinds,
      streams: this.#streams,
      rows: Buffer.from(this.#rows.join('\n')),
      findings: this.#findings,
      unreadable: this.#unreadable,
    };
  }
}
