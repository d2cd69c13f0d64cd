import type { ProjectFormats } from '#core/api';
import { exportFormats } from '#formats/write';
import { sourceFormats, targetProfile } from '#quality/use-cases';
import { projectCountRows, projectRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { isReadable, storedUseCase } from '../use-cases.ts';
import { presentKinds, unfitExportReason } from './export-fit.ts';
import { deriveKind, noProject } from './views.ts';

/**
 * Returns all source and export formats, each with the reason why it does not fit the project; null if it fits. Throws
 * `not_found`.
 */
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
  const data_kind = deriveKind(row.data_kind_override, counts);
  const kinds = presentKinds(data_kind);
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
    data_kind: data_kind.effective,
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
    export_formats: exportFormats.rows.map((format) => {
      const { id, title, carries } = format;
      const reason = unfitExportReason(useCase, format, kinds);
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
