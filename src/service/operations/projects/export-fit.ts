import { AssayError } from '#core';
import type { ExportFormatId, Project } from '#core/api';
import type { Kind } from '#core/episode';
import { type ExportFormat, exportFormats } from '#formats/write';
import type { UseCaseRow } from '#quality/use-cases';

/** Returns the kinds of data that an export of the project may hold: the pinned kind, else those of its episodes. */
export const presentKinds = ({ pinned, counts }: Project['data_kind']): readonly Kind[] =>
  pinned === null ? counts.map(({ kind }) => kind) : [pinned];

/**
 * Returns why episodes of these kinds cannot be exported to a format under a use case; null if some can, or if no
 * episode is known yet.
 */
export function unfitExportReason(
  useCase: UseCaseRow,
  { id, kinds, otherwise }: ExportFormat,
  present: readonly Kind[],
): string | null {
  const fits = present.length === 0 || present.some((kind) => kinds.includes(kind));
  return useCase.unfit_exports[id] ?? (fits ? null : otherwise);
}

/** Throws `invalid_request` with the reason and the formats that fit if a format does not fit. */
export function requireFittingFormat(
  useCase: UseCaseRow,
  format: ExportFormatId,
  present: readonly Kind[],
): void {
  const row = exportFormats.get(format)!;
  const reason = unfitExportReason(useCase, row, present);
  if (reason === null) return;
  const fitting = exportFormats.rows
    .filter((one) => unfitExportReason(useCase, one, present) === null)
    .map(({ id }) => id);
  const message = `${row.title} does not fit: ${reason}`;
  throw new AssayError('invalid_request', message, {
    advice:
      fitting.length === 0
        ? 'set another use case with PUT /v1/workspaces/{workspace_id}/use-case'
        : `set format to one that fits: ${fitting.join(', ')}`,
    details: { format, reason, fitting, errors: [{ pointer: '/body/format', message }] },
  });
}
