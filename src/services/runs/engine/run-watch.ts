import { AssayError } from '#kernel';
import type { Database } from '#store';
import type { RunRef } from './run-ref.ts';

/** Between looks at whether runs that are worked on still want it: a cancellation is heard within two of these. */
const look_ms = 400;

/** Work of this process on a run, as long as it lasts. */
export interface Lease {
  /** Aborted when the run was cancelled, failed or resumed elsewhere. */
  readonly signal: AbortSignal;
  /** Episodes and bytes that are done and not committed yet. */
  readonly underWay: { episodes: number; bytes: number };
  release(): void;
}

type OnProgress = (ref: RunRef) => Promise<void>;

interface Watched {
  readonly ref: RunRef;
  readonly leases: Set<Lease & { readonly abort: AbortController }>;
  told: number;
}

/** Looks after the runs that this process works on, and only while there are any. */
export class RunWatch {
  readonly #database: Database;
  readonly #onProgress: OnProgress;
  readonly #runs = new Map<string, Watched>();
  #timer: NodeJS.Timeout | undefined;
  #looking = false;

  /** `onProgress` hears what is under way of a run, when it has grown. */
  constructor(database: Database, onProgress: OnProgress) {
    this.#database = database;
    this.#onProgress = onProgress;
  }

  lease(ref: RunRef): Lease {
    const key = `${ref.run_id}:${ref.attempt}`;
    const run = this.#runs.get(key) ?? { ref, leases: new Set(), told: 0 };
    this.#runs.set(key, run);
    const abort = new AbortController();
    const lease = {
      abort,
      signal: abort.signal,
      underWay: { episodes: 0, bytes: 0 },
      release: () => {
        run.leases.delete(lease);
        if (run.leases.size === 0) this.#runs.delete(key);
      },
    };
    run.leases.add(lease);
    this.#timer ??= setInterval(() => void this.#look(), look_ms).unref();
    return lease;
  }

  /** What this process has under way of a run. */
  underWay({ run_id, attempt }: RunRef): { episodes: number; bytes: number } {
    const sum = { episodes: 0, bytes: 0 };
    for (const { underWay } of this.#runs.get(`${run_id}:${attempt}`)?.leases ?? []) {
      sum.episodes += underWay.episodes;
      sum.bytes += underWay.bytes;
    }
    return sum;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #look(): Promise<void> {
    if (this.#runs.size === 0) return this.close();
    if (this.#looking) return;
    this.#looking = true;
    try {
      const gone = await this.#gone();
      for (const [key, run] of this.#runs) {
        if (gone.has(key)) for (const { abort } of run.leases) abort.abort(taken());
        else await this.#tell(run);
      }
    } catch {
      // A database that does not answer is waited for by whoever commits.
    } finally {
      this.#looking = false;
    }
  }

  async #gone(): Promise<ReadonlySet<string>> {
    const refs = [...this.#runs.values()].map(({ ref }) => ref);
    const { rows } = await this.#database.query(
      `SELECT r.run_id || ':' || r.attempt AS key FROM json_to_recordset($1::json)
         AS r (tenant_id text, run_id text, attempt int)
       LEFT JOIN runs ON runs.tenant_id = r.tenant_id AND runs.id = r.run_id AND runs.attempt = r.attempt
         AND runs.status = 'running'
       WHERE runs.id IS NULL`,
      [JSON.stringify(refs)],
    );
    return new Set(rows.map(({ key }) => key));
  }

  async #tell(run: Watched): Promise<void> {
    const underWay = this.underWay(run.ref);
    const told = underWay.episodes + underWay.bytes;
    if (told === run.told) return;
    run.told = told;
    if (told > 0) await this.#onProgress(run.ref);
  }
}

const taken = (): AssayError => new AssayError('cancelled', 'the run does not want this work any more');
