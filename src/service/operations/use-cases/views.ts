import type { UseCase } from '#core/api';
import { presets } from '#labels/annotation';
import { showUseCase, type UseCaseRow } from '#quality/catalog';
import { isReadable } from './is-readable.ts';

/** A use case as it is answered, with what its presets do. */
export function useCaseOf(row: UseCaseRow): UseCase {
  const own = row.presets.flatMap((id) => presets.get(id) ?? []);
  return {
    ...showUseCase(row, isReadable),
    preset_details: own.map(({ id, title, summary }) => ({ id, title, summary })),
  };
}
