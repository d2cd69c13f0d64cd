import type { ProjectFormats } from '#core/api';
import { exportFormats } from '#formats/write';
import { sourceFormats, targetProfile } from '#quality/catalog';
import { projectCountRows, projectRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { isReadable } from '../use-cases/is-readable.ts';
import { storedUseCase } from '../workspaces/views.ts';
import { kindOf } from './kind-of.ts';
import { noProject } from './views.ts';

/** Source and export formats of a project: which fit, and why the others do not. Throws `not_found`. */
export async function getProjectFormats(
  store: Store,
  call: Call,
  { project_id }: { readonly project_id: string },
): Promise<ProjectFormats> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const row = await projectRows.getProject(scope, project_id);
  if (row === null) throw noProject();
  const counts = await projectCountRows.countEpisodes(scope, [project_id]);
  const { effective } = kindOf(row.data_kind_override, counts);
  const useCase = storedUseCase(row.use_case);
  const ingested = new Map(
    (await projectCountRows.countFormats(scope, project_id)).map(({ format, episodes }) => [
      format,
      episodes,
    ]),
  );
  return {
    project_id,
    use_case: useCase.id,
    target_profile: row.target_profile,
    data_kind: effective,
    source_formats: sourceFormats.rows.map(({ id, title, carries }) => {
      const reason = useCase.unfit_sources[id] ?? null;
      return {
        id,
        title,
        carries,
        fits: reason === null,
        reason,
        readable: isReadable(id),
        episodes: ingested.get(id) ?? 0,
      };
    }),
    export_formats: exportFormats.rows.map(({ id, title, carries, kinds, otherwise }) => {
      const ofKind = effective === null || kinds.includes(effective) ? null : otherwise;
      const reason = useCase.unfit_exports[id] ?? ofKind;
      return {
        id,
        title,
        carries,
        fits: reason === null,
        reason,
        recommended: reason === null && targetProfile(row.target_profile).export_format === id,
      };
    }),
  };
}
