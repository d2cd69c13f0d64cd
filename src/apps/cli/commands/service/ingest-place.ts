import {
  type AssayClient,
  all,
  type Project,
  type Source,
  type TargetProfileId,
  type UseCaseId,
} from '@assay/client';
import { findIn } from './find-in.ts';

/** Where recordings go: what is there is used, what is not is made. */
export interface IngestPlace {
  readonly project: Project;
  readonly source: Source;
  /** Takes out what was made, so that a question leaves nothing behind. */
  undo(): Promise<void>;
}

/** What is made where it is not there. */
interface Wanted {
  /** By name. */
  readonly workspace: string;
  readonly useCase: UseCaseId;
  readonly profile?: TargetProfileId;
}

/** The project and the source of a folder. What was made is taken out again where the folder is refused. */
export async function placeFor(
  client: AssayClient,
  folder: string,
  name: string,
  args: Wanted,
): Promise<IngestPlace> {
  const made: (() => Promise<unknown>)[] = [];
  const undo = async () => {
    for (const remove of made.splice(0).reverse()) await remove();
  };
  try {
    const workspace = await workspaceFor(client, args, made);
    const project = await projectFor(client, workspace, name, args, made);
    return { project, source: await sourceFor(client, project, folder, made), undo };
  } catch (thrown) {
    // The refusal is what is worth telling.
    await undo().catch(() => {});
    throw thrown;
  }
}

type Made = (() => Promise<unknown>)[];

async function workspaceFor(
  client: AssayClient,
  { workspace: name, useCase }: Wanted,
  made: Made,
): Promise<string> {
  const there = await findIn(all(client.workspaces.list, {}), (workspace) => workspace.name === name);
  if (there !== null) return there.id;
  const { id } = await client.workspaces.create({ name, use_case: useCase });
  made.push(() => client.workspaces.delete({ workspace_id: id }));
  return id;
}

async function projectFor(
  client: AssayClient,
  workspace_id: string,
  name: string,
  { profile }: Wanted,
  made: Made,
): Promise<Project> {
  const there = await findIn(all(client.projects.list, { workspace_id }), (project) => project.name === name);
  if (there !== null) return there;
  const target_profile = profile ?? 'behaviour-cloning';
  const project = await client.projects.create({ workspace_id, name, target_profile });
  made.push(() => client.projects.delete({ project_id: project.id }));
  return project;
}

async function sourceFor(client: AssayClient, { id }: Project, path: string, made: Made): Promise<Source> {
  const same = ({ location, state }: Source) =>
    location.kind === 'folder' && location.path === path && state === 'ready';
  const there = await findIn(all(client.sources.list, { project_id: id }), same);
  if (there !== null) return there;
  const source = await client.sources.create({ project_id: id, kind: 'folder', path });
  made.push(() => client.sources.delete({ source_id: source.id }));
  return source;
}
