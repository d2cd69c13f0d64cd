// Written by `npm run generate` from src/core/api. Change it there.
export interface ListAuditInput {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly object_id?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface VerifyAuditInput {
  /** Sequence number and digest of an entry, separated by a colon. */
  readonly head?: string | undefined;
}
