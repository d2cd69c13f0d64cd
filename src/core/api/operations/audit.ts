import { z } from 'zod';
import { defineOperation, type Operation } from '../operation.ts';
import { pageOf, pageQuery, timeSchema } from '../primitives.ts';
import { auditEntrySchema, auditHeadTextSchema, auditVerificationSchema } from '../schemas/audit.ts';
import { actorIdSchema } from '../schemas/tenancy.ts';

const tag = 'audit';

/** Operations on the audit log of the tenant. */
export const auditOperations = [
  defineOperation({
    id: 'list_audit',
    method: 'GET',
    path: '/v1/audit',
    tag,
    summary: 'List audit log entries, newest first',
    role: 'admin',
    query: z.strictObject({
      ...pageQuery,
      /** Only rows with this `actor_id`. */
      actor: actorIdSchema.optional(),
      action: z.string().max(100).optional(),
      object_id: z.string().max(200).optional(),
      /** Start of the range, inclusive. */
      from: timeSchema.optional(),
      /** End of the range, exclusive. */
      to: timeSchema.optional(),
    }),
    success: { status: 200, schema: pageOf(auditEntrySchema) },
  }),
  defineOperation({
    id: 'verify_audit',
    method: 'GET',
    path: '/v1/audit/verification',
    tag,
    summary: 'Verify the integrity of the audit log',
    description:
      'Checks the whole hash chain for entries that were changed, removed, reordered or inserted. With a `head` recorded earlier it ' +
      'also detects replacement of the whole log by another consistent one.',
    role: 'admin',
    query: z.strictObject({ head: auditHeadTextSchema.optional() }),
    success: { status: 200, schema: auditVerificationSchema },
  }),
] as const satisfies readonly Operation[];
