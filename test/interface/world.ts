import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import {
  type AnnotationJob,
  type AssayClient,
  createClient,
  type Export,
  type Operations,
  type Role,
} from '#client';
import { writeTinyRecordings } from '../support/tiny-recordings.ts';

type UseCaseName = Operations['create_workspace']['input']['use_case'];
type TargetProfileId = Operations['create_project']['input']['target_profile'];

/** A project of the first tenant with assessed demonstrations. */
interface RecordedProject {
  readonly workspace_id: string;
  readonly project_id: string;
  readonly source_id: string;
  readonly run_id: string;
  readonly episode_ids: readonly string[];
}

/** Environment that statements are checked in: a service, and tokens of two of its tenants. */
export interface World {
  readonly address: string;
  /** Client of the first tenant with a role. */
  readonly as: Readonly<Record<Role, AssayClient>>;
  readonly tokens: Readonly<Record<Role, string>>;
  /** Client of the second tenant's admin. */
  readonly other: AssayClient;
  /** A project with so many assessed demonstrations, two unless told; recorded when it is first asked for. */
  recorded(episodes?: number): Promise<RecordedProject>;
  newProject(
    target_profile?: TargetProfileId,
    use_case?: UseCaseName,
  ): Promise<{ readonly workspace_id: string; readonly project_id: string }>;
  /** Sends JSON that the types of the client refuse. */
  send(method: string, path: string, body?: unknown, token?: string): Promise<Sent>;
  /** Waits for the end of a job. */
  jobEnded(job: AnnotationJob): Promise<AnnotationJob>;
  /** Waits for the end of an export. */
  exportEnded(made: Export): Promise<Export>;
  /** Revokes the tokens that were made for the checks. */
  close(): Promise<void>;
}

interface Sent {
  readonly status: number;
  /** Parsed JSON, or the text if it is none. */
  readonly body: unknown;
}

interface WorldOptions {
  readonly address: string;
  /** Admin tokens of two tenants. */
  readonly token: string;
  readonly other_token: string;
}

/** Short random name, so that runs on one service do not meet. */
export const newName = (name: string): string => `${name} ${randomBytes(4).toString('hex')}`;

export async function createWorld({ address, token, other_token }: WorldOptions): Promise<World> {
  const admin = createClient({ address, token });
  const roles = ['viewer', 'reviewer', 'engineer'] as const;
  const made = await Promise.all(
    roles.map((role) => admin.tenant.createToken({ name: newName(role), role })),
  );
  const tokens = {
    viewer: made[0].token,
    reviewer: made[1].token,
    engineer: made[2].token,
    admin: token,
  };
  const as = {
    viewer: createClient({ address, token: tokens.viewer }),
    reviewer: createClient({ address, token: tokens.reviewer }),
    engineer: createClient({ address, token: tokens.engineer }),
    admin,
  };
  const recordings = new Map<number, Promise<RecordedProject>>();
  const newProject: World['newProject'] = async (
    target = 'behaviour-cloning',
    use_case = 'robotic-manipulation',
  ) => {
    const { id: workspace_id } = await admin.workspaces.create({ name: newName('conformance'), use_case });
    const { id } = await admin.projects.create({
      workspace_id,
      name: newName('arms'),
      target_profile: target,
    });
    return { workspace_id, project_id: id };
  };
  return {
    address,
    as,
    tokens,
    other: createClient({ address, token: other_token }),
    newProject,
    recorded: (episodes = 2) => {
      const made = recordings.get(episodes) ?? newProject().then((one) => record(as.engineer, one, episodes));
      recordings.set(episodes, made);
      return made;
    },
    send: (method, path, body, sender = token) => send(address + path, method, body, sender),
    jobEnded: (job) => jobEnded(admin, job),
    exportEnded: (export_) => exportEnded(admin, export_),
    close: async () => {
      for (const { id } of made) await admin.tenant.revokeToken({ token_id: id });
    },
  };
}

async function record(
  client: AssayClient,
  { workspace_id, project_id }: { readonly workspace_id: string; readonly project_id: string },
  episodes: number,
): Promise<RecordedProject> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-conformance-'));
  try {
    await writeTinyRecordings(folder, episodes);
    const { id: source_id } = await client.sources.create({ project_id, kind: 'upload', name: 'recordings' });
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    );
    for (const file of files) {
      const place = join(file.parentPath, file.name);
      const path = relative(folder, place).replaceAll('\\', '/');
      await client.upload({ source_id, path, content: new Blob([readFileSync(place)]) });
    }
    await client.sources.complete({ source_id });
    const { id: run_id } = await client.runs.start({ project_id, source_id });
    let run = await client.runs.get({ run_id });
    while (run.status === 'queued' || run.status === 'running') {
      await pause();
      run = await client.runs.get({ run_id });
    }
    assert.equal(run.status, 'succeeded', JSON.stringify(run.error));
    const { items } = await client.episodes.list({ project_id });
    assert.equal(items.length, episodes, 'each demonstration becomes an episode');
    return { workspace_id, project_id, source_id, run_id, episode_ids: items.map(({ id }) => id) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function jobEnded(
  client: AssayClient,
  { project_id, id: job_id }: AnnotationJob,
): Promise<AnnotationJob> {
  for (;;) {
    const job = await client.annotationJobs.get({ project_id, job_id });
    if (!['queued', 'running', 'cancelling'].includes(job.status)) return job;
    await pause();
  }
}

async function exportEnded(client: AssayClient, { project_id, id: export_id }: Export): Promise<Export> {
  for (;;) {
    const made = await client.exports.get({ project_id, export_id });
    if (!['queued', 'running'].includes(made.status)) {
      assert.ok(
        ['succeeded', 'sealed'].includes(made.status),
        `the export ${made.status}: ${JSON.stringify(made.error)}`,
      );
      return made;
    }
    await pause();
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 200));

async function send(url: string, method: string, body: unknown, token: string): Promise<Sent> {
  const answer = await fetch(url, {
    method,
    headers: {
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  try {
    return { status: answer.status, body: JSON.parse(text) };
  } catch {
    return { status: answer.status, body: text };
  }
}
