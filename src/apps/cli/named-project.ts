import { type AssayClient, all, type Project, requestOf } from '#client';
import { AssayError, idPattern } from '#core';

/**
 * Resolves a project id or unique project name to its id. Throws `not_found`, or `usage` if several projects have the
 * name.
 */
export async function projectOf(client: AssayClient, named: string): Promise<string> {
  if (idPattern('prj').test(named)) return named;
  const found: Project[] = [];
  for await (const project of all(client.projects.list, {})) if (project.name === named) found.push(project);
  const [first] = found;
  if (first === undefined) {
    throw new AssayError('not_found', `no project named ${named}`, {
      advice: `GET ${client.address}${requestOf('list_projects', {}).path} lists the projects; \`assay ingest PATH --project ${named}\` creates one`,
    });
  }
  if (found.length === 1) return first.id;
  throw new AssayError('usage', `${found.length} projects are named ${named}`, {
    advice: `use one of the ids: ${found.map(({ id }) => id).join(', ')}`,
  });
}
