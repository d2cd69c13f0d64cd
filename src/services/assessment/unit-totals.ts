import type { Episode, Finding, Kind } from '#episode';
import type { Unreadable } from '#formats';
import type { ComparisonRows } from '#readiness';
import type { Kept, MeasuredUnit, StreamTotal, Task } from './messages.ts';

/** What a unit adds up to. */
export class UnitTotals {
  readonly #task: Task;
  readonly #kinds: Partial<Record<Kind, number>> = {};
  readonly #streams: Record<string, StreamTotal> = {};
  readonly #findings: Finding[] = [];
  readonly #ids: string[] = [];
  readonly #indices: number[] = [];
  readonly #rows: Record<string, string[]> = {};
  #unreadable = 0;

  constructor(task: Task) {
    this.#task = task;
  }

  unreadable({ finding }: Unreadable): void {
    this.#unreadable++;
    this.#findings.push(finding);
  }

  episode(episode: Episode, kind: Kind, rows: ComparisonRows): void {
    for (const [comparison, row] of Object.entries(rows)) {
      this.#rows[comparison] ??= new Array<string>(this.#ids.length).fill('');
      this.#rows[comparison].push(JSON.stringify(row));
    }
    this.#ids.push(episode.id);
    this.#indices.push(episode.index);
    for (const lines of Object.values(this.#rows)) if (lines.length < this.#ids.length) lines.push('');
    this.#kinds[kind] = (this.#kinds[kind] ?? 0) + 1;
    for (const { id, role, modality, sample_count } of episode.streams) {
      this.#streams[id] ??= { role, modality, samples: 0, episodes: 0 };
      this.#streams[id].samples += sample_count;
      this.#streams[id].episodes++;
    }
  }

  #lines(): Record<string, Uint8Array> {
    const lines: Record<string, Uint8Array> = {};
    for (const [comparison, rows] of Object.entries(this.#rows)) {
      lines[comparison] = Buffer.from(rows.map((row) => `${row}\n`).join(''));
    }
    return lines;
  }

  close(kept: Kept): MeasuredUnit {
    return {
      place: this.#task.place,
      dataset: this.#task.dataset,
      kept,
      episodes: this.#ids.length,
      kinds: this.#kinds,
      streams: this.#streams,
      rows: { episodes: this.#ids, indices: this.#indices, lines: this.#lines() },
      findings: this.#findings,
      unreadable: this.#unreadable,
    };
  }
}
