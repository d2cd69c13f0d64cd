// Written by `npm run generate` from src/core/api. Change it there.
import type { Role } from './shared.ts';

export interface AuditEntry {
  readonly id: string;
  readonly sequence: number;
  readonly at: string;
  readonly actor_id: string;
  readonly actor_name: string;
  readonly role: Role;
  readonly action: string;
  readonly object_type: string;
  readonly object_id: string;
  readonly before_hash: string | null;
  readonly after_hash: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly request_id: string;
  /** SHA-256 in hexadecimal. */
  readonly previous_digest: string;
  /** SHA-256 in hexadecimal. */
  readonly digest: string;
}

export interface AuditHead {
  readonly sequence: number;
  /** SHA-256 in hexadecimal. */
  readonly digest: string;
}

export type AuditVerification = {
  readonly intact: boolean;
  readonly rows: number;
  readonly head: AuditHead | null;
  readonly fault: {
    readonly kind: 'changed' | 'rewritten' | 'missing' | 'reordered' | 'added';
    readonly sequence: number;
    readonly message: string;
  } | null;
};
