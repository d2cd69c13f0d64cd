import { AssayError } from '#core';
import type { ExportFormatId } from '#core/api';
import { demandExportable, editRequest } from '#engine';

interface Asked {
  readonly format: ExportFormatId;
  readonly rate_hz?: number | undefined;
  readonly edits?: Readonly<Record<string, readonly string[] | undefined>> | undefined;
  /** What a plan leaves of some episodes. */
  readonly trims: Readonly<Record<string, { readonly from_s: number; readonly to_s: number }>>;
}

/** Throws `invalid_request` where a dataset of this format cannot be changed so on its way into the export. */
export function demandEdits({ format, rate_hz, edits, trims }: Asked, dataset_format: string): void {
  const rate = rate_hz === undefined ? {} : { rate_hz };
  const asked = { format, ...rate, edits: editRequest(edits), sources: [{ trims }] };
  try {
    demandExportable(asked, [dataset_format]);
  } catch (thrown) {
    if (!(thrown instanceof AssayError) || thrown.code !== 'usage') throw thrown;
    // The command calls its options by two dashes.
    const plain = (text: string) => text.replaceAll(/--(?=[a-z])/g, '');
    const { advice } = thrown;
    throw new AssayError('invalid_request', plain(thrown.message), {
      ...(advice === null ? {} : { advice: plain(advice) }),
      details: { errors: [{ pointer: '/body/edits', message: plain(thrown.message) }] },
    });
  }
}
