import { z } from 'zod';
import type { CurationStrategy } from '#core/api';
import { strategies } from '#quality/curation';
import { projectRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import type { Page } from '../page.ts';
import { noProject } from '../projects/views.ts';
import { pageOfRegistry } from '../use-cases/page-of-registry.ts';

/** The strategies that a plan is made of, with the ranges and defaults of their parameters. Throws `not_found`. */
export async function listStrategies(
  store: Store,
  call: Call,
  query: { readonly project_id: string; readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<CurationStrategy>> {
  requireRole(call, 'viewer');
  if ((await projectRows.getProject(scopeOf(store, call), query.project_id)) === null) throw noProject();
  return pageOfRegistry(strategies.rows, query, ({ id, title, about, source, needs, parameters }) => ({
    ...{ id, title, about, source },
    needs: [...needs],
    parameters: JSON.parse(JSON.stringify(z.toJSONSchema(parameters, { io: 'input' }))),
  }));
}
