import { z } from 'zod';
import { idSchema, timeSchema } from '../primitives.ts';
import { actorIdSchema, roleSchema } from './tenancy.ts';

const digestSchema = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ description: 'SHA-256 in hexadecimal.' });

/** Row of the audit log: who did what to which object and when, chained to the previous row by its digest. */
export const auditEntrySchema = z
  .strictObject({
    id: idSchema('aud'),
    /** Sequence number, from 1 without gaps. */
    sequence: z.int().min(1),
    at: timeSchema,
    actor_id: actorIdSchema,
    actor_name: z.string(),
    role: roleSchema,
    /** Action, usually the id of the API operation. */
    action: z.string(),
    object_type: z.string(),
    object_id: z.string(),
    /** SHA-256 of the object's canonical JSON before and after; null if it did not or does not exist. */
    before_hash: digestSchema.nullable(),
    after_hash: digestSchema.nullable(),
    detail: z.record(z.string(), z.unknown()),
    request_id: z.string(),
    previous_digest: digestSchema,
    /** SHA-256 over the row and `previous_digest`. */
    digest: digestSchema,
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof auditEntrySchema>;

/** Position in the chain to be stored elsewhere, so that a rewritten log is detected. */
const auditHeadSchema = z
  .strictObject({ sequence: z.int().min(1), digest: digestSchema })
  .meta({ id: 'AuditHead' });
export type AuditHead = z.infer<typeof auditHeadSchema>;

/** Schema of an audit head as text: `sequence:digest`. */
export const auditHeadTextSchema = z
  .string()
  .regex(/^[1-9]\d{0,14}:[0-9a-f]{64}$/)
  .meta({ description: 'Sequence number and digest of an entry, separated by a colon.' });

/**
 * Splits a text `sequence:digest` into its two values without checking it; check it with `auditHeadTextSchema` first.
 */
export function readAuditHead(text: string): AuditHead {
  const [sequence, digest] = text.split(':');
  return { sequence: Number(sequence), digest };
}

/**
 * `changed`: a row does not match its digest. `rewritten`: a row was replaced by another with a valid digest.
 * `missing`: rows were deleted. `reordered`: rows have another order. `added`: a row was inserted by something else
 * than the service.
 */
const auditFaults = ['changed', 'rewritten', 'missing', 'reordered', 'added'] as const;

export const auditVerificationSchema = z
  .strictObject({
    intact: z.boolean(),
    /** Number of intact rows before the first fault. */
    rows: z.int().min(0),
    /** Last intact row. */
    head: auditHeadSchema.nullable(),
    /** First fault; `null` if there is none. */
    fault: z.strictObject({ kind: z.enum(auditFaults), sequence: z.int(), message: z.string() }).nullable(),
  })
  .meta({ id: 'AuditVerification' });
export type AuditVerification = z.infer<typeof auditVerificationSchema>;
