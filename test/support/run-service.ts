import { join } from 'node:path';
import { type Call, createProject, createSource, createWorkspace, getRun, listRunFindings } from '#services';
import { type BlobsOptions, openBlobs, openQueue } from '#store';
import { startWorkEngine } from '#work';
import { callAs } from './service-call.ts';
import { openTestStore, type TestStore } from './service-store.ts';

/** A store with whoever works on runs, and a project in it. */
export interface RunService {
  readonly store: TestStore;
  readonly call: Call;
  readonly project_id: string;
  /** Registers a folder; gives the source's id. */
  source(path: string): Promise<string>;
  /** The run as it is when it has ended. */
  ended(run_id: string): Promise<Awaited<ReturnType<typeof getRun>>>;
  /** Begins to work, where nobody does yet. */
  begin(): Promise<void>;
  /** All findings of a run. */
  findings(run_id: string): Promise<unknown[]>;
  close(): Promise<void>;
}

export interface RunServiceOptions {
  readonly on?: TestStore['database']['kind'];
  /** Of the server, where it is not the tests' own. */
  readonly url?: string;
  /** Folders that recordings may be read from. */
  readonly roots: readonly string[];
  /** False: nobody works. */
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

/** Opens everything a run needs, in this process. */
export async function openRunService(options: RunServiceOptions): Promise<RunService> {
  const { on = 'embedded', roots, works = true } = options;
  let blobs: BlobsOptions = { kind: 'folder', folder: '' };
  const store = await openTestStore({
    on,
    ...(options.url === undefined ? {} : { url: options.url }),
    blobs: (folder) => {
      blobs = options.blobs ?? { kind: 'folder', folder: join(folder, 'blobs') };
      return openBlobs(blobs);
    },
    queue: (database) => openQueue(database, { worker: 'test' }),
    source_access: { roots, ...options.source_access },
    prices: options.prices,
    vision_endpoint: options.vision_endpoint,
  });
  const begin = () =>
    startWorkEngine(store, {
      blobs,
      worker: 'test',
      threads: options.threads ?? 2,
      patience_ms: options.patience_ms ?? 5000,
    });
  let engine = works ? await begin() : null;
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
    ended: async (run_id) => {
      for (;;) {
        const run = await getRun(store, call, { run_id });
        if (run.status !== 'queued' && run.status !== 'running') return run;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    begin: async () => {
      engine ??= await begin();
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
    close: async () => {
      await store.queue.stop(2000);
      await engine?.close();
      await store.close();
    },
  };
}
