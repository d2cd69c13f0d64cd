import type { ModelHosts } from '#labels/models';
import type { Database, RunError, Store, TenantScope } from '#store';
import type { WorkThreads } from './threads/work-threads.ts';

/** For whoever looks after the service. */
export interface WorkLog {
  warn(facts: object, said: string): void;
}

/** What the steps of runs and jobs work with. */
export interface Engine {
  readonly store: Store;
  readonly threads: WorkThreads;
  /** Where models run, for all threads. */
  readonly models: ModelHosts;
  readonly watch: Watch;
  /** Names this process among all workers. */
  readonly worker: string;
  /** How long something outside that does not answer is waited for. */
  readonly patience_ms: number;
  readonly log: WorkLog;
}

/** Which work. */
export interface WorkRef {
  readonly tenant_id: string;
}

/** A piece of work that this process has taken, as long as it lasts. */
export interface Lease {
  /** Aborted when it is not wanted any more, or went elsewhere. */
  readonly signal: AbortSignal;
  /** Episodes and bytes that are done and not committed yet. */
  readonly underWay: { episodes: number; bytes: number };
  release(): void;
}

/** What is asked of a kind whose work is leased. */
export type Watchable<Ref extends WorkRef> = Pick<
  WorkKind<Ref, never>,
  'noun' | 'keyOf' | 'gone' | 'tellProgress'
>;

/** Looks after the work that this process has taken. */
export interface Watch {
  lease<Ref extends WorkRef>(kind: Watchable<Ref>, ref: Ref): Lease;
  /** What this process has under way of it. */
  underWay(noun: WorkKind<never, never>['noun'], key: string): { episodes: number; bytes: number };
  close(): void;
}

/** `over`: it has ended, or another attempt has taken its place. `stopping`: what is finished is still taken. */
type WorkState = 'queued' | 'running' | 'stopping' | 'over';

/** What is the same of every row of a kind of work. */
export interface WorkRow {
  readonly waiting: RunError | null;
}

/** A kind of work that is done by whichever process takes it: runs, annotation jobs, exports. */
export interface WorkKind<Ref extends WorkRef, Row extends WorkRow> {
  readonly noun: 'run' | 'job' | 'export';
  /** What a person does to have it tried again. */
  readonly tryAgain: string;
  /** Unlike that of any other work of the kind, and any other attempt at it. */
  keyOf(ref: Ref): string;
  read(scope: TenantScope, ref: Ref): Promise<Row | null>;
  /** Reads and holds the row until the transaction ends. */
  lock(scope: TenantScope, ref: Ref): Promise<Row | null>;
  stateOf(row: Row, ref: Ref): WorkState;
  /** Has a queued row, which is held, run. */
  start(store: Store, row: Row, now: Date): Promise<Row>;
  /** Writes down what a row, which is held, waits for. */
  setWaiting(store: Store, row: Row, waiting: RunError | null): Promise<unknown>;
  /** Ends a row, which is held, with the reason; what is done stays. */
  fail(engine: Engine, ref: Ref, row: Row, error: RunError): Promise<void>;
  /** Keys of those that want no more work. */
  gone(database: Database, refs: readonly Ref[]): Promise<ReadonlySet<string>>;
  /** Hears of work of which more is under way than when it last heard. */
  tellProgress(engine: Engine, ref: Ref): Promise<void>;
}
