import type { CertificationReport } from '#core/api';

/** Report with the bundle that it was sealed into. */
export interface SealedReport {
  readonly report: CertificationReport;
  /** Title of the dataset. */
  readonly title: string;
  readonly bundle: { readonly sha256: string; readonly bytes: number; readonly keyid: string };
}
