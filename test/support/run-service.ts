import { join } from 'node:path';
import { startWorkEngine } from '#engine';
import {
  type Call,
  createProject,
  createSource,
  createWorkspace,
  getRun,
  listRunFindings,
  setUseCase,
} from '#service/operations';
import { type BlobsOptions, openBlobs, openQueue } from '#store';
import { callAs } from './service-call.ts';
import { defaultDatabase, openTestStore, type TestStore } from './service-store.ts';
import { timedStart } from './timings.ts';

/** A project on a store, in a tenant of its own, and a work engine that runs what is started in it. */
export interface JoinedService {
  readonly store: TestStore;
  readonly call: Call;
  readonly project_id: string;
  /** Registers a folder; gives the source's id. */
  source(path: string): Promise<string>;
  /** The run as it is when it has ended. */
  ended(run_id: string): Promise<Awaited<ReturnType<typeof getRun>>>;
  /** Gives the workspace a use case that allows exports; episodes are judged by the weights that folders have before. */
  allowExports(): Promise<void>;
  /** All findings of a run. */
  findings(run_id: string): Promise<unknown[]>;
}

/** A project on a store and an engine of its own; call `close()` in the end. */
export interface RunService extends JoinedService {
  /** Starts the engine of a service that was opened with `works: false`. */
  begin(): Promise<void>;
  close(): Promise<void>;
}

export interface RunServiceOptions {
  /** Absent: `defaultDatabase`. */
  readonly on?: TestStore['database']['kind'];
  /** URL of the server, if it is not the one of the tests. */
  readonly url?: string;
  /** Folders that recordings may be read from. */
  readonly roots: readonly string[];
  /** True to start an engine at once. Defaults to true; if false, call `begin()`. */
  readonly works?: boolean;
  readonly threads?: number;
  readonly patience_ms?: number;
  /** Absent: a folder. */
  readonly blobs?: BlobsOptions;
  readonly source_access?: Partial<TestStore['source_access']>;
  /** Absent: computing costs nothing. */
  readonly prices?: TestStore['prices'];
  /** Absent: frames are shown to nobody. */
  readonly vision_endpoint?: TestStore['vision_endpoint'];
}

/** Opens a store and a work engine of its own, for tests that stop, break or configure them. */
export async function openRunService(options: RunServiceOptions): Promise<RunService> {
  const { works = true } = options;
  const { store, blobs } = await openWithBlobs(options);
  const begin = () => startEngine(store, blobs, options);
  let engine = works ? await begin() : null;
  return {
    ...(await joinStore(store)),
    begin: async () => {
      engine ??= await begin();
    },
    close: async () => {
      await store.queue.stop(2000);
      await engine?.close();
      await store.close();
    },
  };
}

/** Options of this file's calls. The shared engine keeps its own: it reads any folder and costs nothing. */
export interface SharedRunOptions extends Pick<RunServiceOptions, 'on' | 'roots' | 'prices'> {}

/**
 * A tenant, a workspace and a project on one store and one work engine that all test files of this process share:
 * starting an engine takes seconds. Rows of other tenants are in the same tables.
 */
export async function joinRunService(options: SharedRunOptions): Promise<JoinedService> {
  const { on = defaultDatabase, roots, prices } = options;
  const shared = await sharedStore(on);
  const source_access = { ...shared.source_access, roots };
  const store = { ...shared, source_access, ...(prices === undefined ? {} : { prices }) };
  return joinStore(store);
}

const sharedStores = new Map<TestStore['database']['kind'], Promise<TestStore>>();

/** The store that test files of this process share, with an engine at work; it lasts until the process ends. */
export function sharedStore(on: TestStore['database']['kind'] = defaultDatabase): Promise<TestStore> {
  const opened = sharedStores.get(on) ?? openSharedStore(on);
  sharedStores.set(on, opened);
  return opened;
}

async function openSharedStore(on: TestStore['database']['kind']): Promise<TestStore> {
  // A file names its own folders, which are not known here.
  const { store, blobs } = await openWithBlobs({ on, roots: ['/'] }, process.env.ASSAY_TEST_RUN_FOLDER);
  await startEngine(store, blobs, {});
  return store;
}

async function openWithBlobs(
  options: RunServiceOptions,
  within?: string,
): Promise<{ store: TestStore; blobs: BlobsOptions }> {
  let blobs: BlobsOptions = { kind: 'folder', folder: '' };
  const store = await openTestStore({
    ...(options.on === undefined ? {} : { on: options.on }),
    ...(options.url === undefined ? {} : { url: options.url }),
    ...(within === undefined ? {} : { within }),
    blobs: (folder) => {
      blobs = options.blobs ?? { kind: 'folder', folder: join(folder, 'blobs') };
      return openBlobs(blobs);
    },
    queue: (database) => openQueue(database, { worker: 'test' }),
    source_access: { roots: options.roots, ...options.source_access },
    prices: options.prices,
    vision_endpoint: options.vision_endpoint,
  });
  return { store, blobs };
}

const startEngine = (
  store: TestStore,
  blobs: BlobsOptions,
  { threads = 2, patience_ms = 5000 }: Pick<RunServiceOptions, 'threads' | 'patience_ms'>,
) => timedStart('engine', startWorkEngine(store, { blobs, worker: 'test', threads, patience_ms }));

/** Makes a project in a tenant that nobody else is in. */
async function joinStore(store: TestStore): Promise<JoinedService> {
  const call = callAs('engineer');
  const workspace = await createWorkspace(store, call, { name: 'lab', use_case: 'data-assessment' });
  const made = { workspace_id: workspace.id, name: 'all', target_profile: 'vla' } as const;
  const project = await createProject(store, call, made);
  return {
    store,
    call,
    project_id: project.id,
    source: async (path) => {
      const source = await createSource(store, call, { project_id: project.id, kind: 'folder', path });
      return source.id;
    },
    allowExports: async () => {
      const change = { workspace_id: workspace.id, use_case: 'robotic-manipulation' } as const;
      await setUseCase(store, call, { ...change, unfit_projects: 'refuse' });
    },
    ended: async (run_id) => {
      for (;;) {
        const run = await getRun(store, call, { run_id });
        if (run.status !== 'queued' && run.status !== 'running') return run;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    findings: async (run_id) => {
      const all: unknown[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await listRunFindings(store, call, { run_id, limit: 100, cursor });
        all.push(...page.items);
        cursor = page.next_cursor;
      }
      return all;
    },
  };
}
