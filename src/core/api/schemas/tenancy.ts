import { z } from 'zod';
import { idSchema, nameSchema, timeSchema } from '../primitives.ts';
import { roles } from '../roles.ts';

/** Pattern of a token: `asy_` and 32 random bytes in base62. */
export const tokenShape = /^asy_[0-9A-Za-z]{43}$/;

/** A token itself, shown once. */
export const secretTokenSchema = z.string().regex(tokenShape);

/** Ordered: viewer, reviewer, engineer, admin. */
export const roleSchema = z.enum(roles).meta({ id: 'Role' });

/** Lower case: two spellings of one address are one user. */
const emailSchema = z.email().max(254).toLowerCase();

/** Seconds until a token expires, from a minute to ten years. */
const expiresInSchema = z
  .int()
  .min(60)
  .max(10 * 366 * 86_400);

/** Id of an actor: a user, a token without a user, or `system`. */
export const actorIdSchema = z.string().max(100);

export const userSchema = z
  .strictObject({
    id: idSchema('usr'),
    email: z.string(),
    name: z.string(),
    role: roleSchema,
    created_at: timeSchema,
    created_by: actorIdSchema,
    /** Time at which the invitation was exchanged for a token; `null` until then. */
    accepted_at: timeSchema.nullable(),
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof userSchema>;

const tokenFields = {
  id: idSchema('tok'),
  /** An `invitation` can be exchanged for an access token once and gives no other access. */
  kind: z.enum(['access', 'invitation']),
  name: z.string(),
  role: roleSchema,
  user_id: idSchema('usr').nullable(),
  created_at: timeSchema,
  created_by: actorIdSchema,
  expires_at: timeSchema.nullable(),
  /** Time of the last use, to the minute. */
  last_used_at: timeSchema.nullable(),
  revoked_at: timeSchema.nullable(),
};

/** A token's metadata; the token itself is not stored. */
export const tokenSchema = z.strictObject(tokenFields).meta({ id: 'Token' });
export type Token = z.infer<typeof tokenSchema>;

export const createdTokenSchema = z
  .strictObject({ ...tokenFields, token: secretTokenSchema.meta({ description: 'Shown only once.' }) })
  .meta({ id: 'CreatedToken' });
export type CreatedToken = z.infer<typeof createdTokenSchema>;

export const invitedUserSchema = z
  .strictObject({
    user: userSchema,
    /** Hand it to the user, who exchanges it at `POST /v1/invitations/accept`. */
    invitation: createdTokenSchema,
  })
  .meta({ id: 'InvitedUser' });
export type InvitedUser = z.infer<typeof invitedUserSchema>;

export const whoamiSchema = z
  .strictObject({
    tenant: z.strictObject({ id: idSchema('tnt'), name: z.string() }),
    role: roleSchema,
    token: tokenSchema,
    user: userSchema.nullable(),
  })
  .meta({ id: 'Whoami' });
export type Whoami = z.infer<typeof whoamiSchema>;

export const createUserSchema = z.strictObject({ email: emailSchema, name: nameSchema, role: roleSchema });

/** Lower-case letters, digits and hyphens, a letter or digit first. */
export const tenantNameShape = /^[a-z0-9][a-z0-9-]{0,62}$/;

export const createTokenSchema = z.strictObject({
  name: nameSchema,
  role: roleSchema,
  /** User of the token; absent for a program's token. Its role must not exceed the user's. */
  user_id: idSchema('usr').optional(),
  /** Lifetime; absent for a token that is valid until it is revoked. */
  expires_in_s: expiresInSchema.optional(),
});

export const createTenantSchema = z.strictObject({
  name: z.string().regex(tenantNameShape, 'must be 1–63 lower-case letters, digits and hyphens'),
  /** Its first token. */
  token: createTokenSchema.omit({ user_id: true }),
});

export const createdTenantSchema = z
  .strictObject({ id: idSchema('tnt'), name: z.string(), token: createdTokenSchema })
  .meta({ id: 'CreatedTenant' });
export type CreatedTenant = z.infer<typeof createdTenantSchema>;
