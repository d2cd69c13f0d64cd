import type { ModelHosts } from '#labels/models';
import type { Database, RunError, Store, TenantScope } from '#store';
import type { WorkThreads } from '../threads/work-threads.ts';

/** Log for the operator of the service. */
export interface WorkLog {
  warn(facts: object, message: string): void;
}

/** Shared resources for the steps of runs, jobs and exports. */
export interface Engine {
  readonly store: Store;
  readonly threads: WorkThreads;
  /** Model hosts, shared by all threads. */
  readonly models: ModelHosts;
  readonly watch: Watch;
  /** Name of this process among all workers. */
  readonly worker: string;
  /** Time to retry while an external service is unavailable. */
  readonly patience_ms: number;
  readonly log: WorkLog;
  /** Ids of the jobs whose interrupted episodes this process has taken over. */
  readonly restarted_jobs: Set<string>;
}

/** Reference to a piece of work. */
export interface WorkRef {
  readonly tenant_id: string;
}

/** A piece of work that this process has taken. */
export interface Lease {
  /** Aborted when the work is no longer wanted, or was taken by another process. */
  readonly signal: AbortSignal;
  /** Episodes and bytes that are done but not committed. */
  readonly uncommitted: { episodes: number; bytes: number };
  release(): void;
}

/** Methods of a kind that watching needs. */
export type Watchable<Ref extends WorkRef> = Pick<
  WorkKind<Ref, never>,
  'noun' | 'keyOf' | 'findStopped' | 'publishProgress' | 'transferredBytes'
>;

/** Watches the work that this process has taken. */
export interface Watch {
  /** Begins watching a piece of work; returns its lease. */
  lease<Ref extends WorkRef>(kind: Watchable<Ref>, ref: Ref): Lease;
  /** Returns what this process has done of the work but not committed. */
  uncommitted(noun: WorkKind<never, never>['noun'], key: string): { episodes: number; bytes: number };
  close(): void;
}

/** `over`: ended, or replaced by another attempt. `stopping`: finished parts are still committed. */
type WorkState = 'queued' | 'running' | 'stopping' | 'over';

/** Common columns of all kinds of work. */
export interface WorkRow {
  readonly waiting: RunError | null;
}

/** A kind of queued work: runs, annotation jobs, exports. */
export interface WorkKind<Ref extends WorkRef, Row extends WorkRow> {
  readonly noun: 'run' | 'job' | 'export';
  /** Advice for users on how to retry it. */
  readonly tryAgain: string;
  /** Returns the key of a piece of work; unique per work and attempt. */
  keyOf(ref: Ref): string;
  read(scope: TenantScope, ref: Ref): Promise<Row | null>;
  /** Returns the row, locked until the transaction ends; null if it is missing. */
  lock(scope: TenantScope, ref: Ref): Promise<Row | null>;
  stateOf(row: Row, ref: Ref): WorkState;
  /** Marks a locked, queued row as running and returns it. */
  start(store: Store, row: Row, now: Date): Promise<Row>;
  /** Records what a locked row waits for. */
  setWaiting(store: Store, row: Row, waiting: RunError | null): Promise<unknown>;
  /** Fails a locked row with a reason; finished parts stay. */
  fail(engine: Engine, ref: Ref, row: Row, error: RunError): Promise<void>;
  /** Returns the keys of work that has ended or was replaced. */
  findStopped(database: Database, refs: readonly Ref[]): Promise<ReadonlySet<string>>;
  /** Returns the bytes that this process has downloaded for the work; they count as progress. Absent: none. */
  transferredBytes?(engine: Engine, ref: Ref): number;
  /** Publishes the progress of work, whose uncommitted part has changed. */
  publishProgress(engine: Engine, ref: Ref): Promise<void>;
}

/** Seconds after which no process can still be writing blobs for ended work. */
export const orphanDelay_s = 60;
