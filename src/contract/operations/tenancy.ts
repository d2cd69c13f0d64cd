import { z } from 'zod';
import { defineOperation, type Operation } from '../operation.ts';
import { idSchema, pageOf, pageQuery } from '../primitives.ts';
import {
  createdTenantSchema,
  createdTokenSchema,
  createTenantSchema,
  createTokenSchema,
  createUserSchema,
  invitedUserSchema,
  secretTokenSchema,
  tokenSchema,
  userSchema,
  whoamiSchema,
} from '../schemas/tenancy.ts';

const tag = 'tenant';

/** Users, tokens, and who one is. */
export const tenancyOperations = [
  defineOperation({
    id: 'whoami',
    method: 'GET',
    path: '/v1/whoami',
    tag,
    summary: 'Get the token’s owner and role',
    role: 'viewer',
    success: { status: 200, schema: whoamiSchema },
  }),
  defineOperation({
    id: 'create_tenant',
    method: 'POST',
    path: '/v1/tenants',
    tag,
    summary: 'Make a tenant and its first token',
    description:
      'For admins of the tenant `default`, which the first start made: they run the installation. They see nothing of ' +
      'other tenants. The token is shown this once. A name that is taken is a conflict.',
    role: 'admin',
    operator: true,
    body: createTenantSchema,
    success: { status: 201, schema: createdTenantSchema },
    errors: ['conflict'],
    idempotent: true,
  }),
  defineOperation({
    id: 'list_users',
    method: 'GET',
    path: '/v1/users',
    tag,
    summary: 'List users, newest first',
    role: 'admin',
    query: z.strictObject(pageQuery),
    success: { status: 200, schema: pageOf(userSchema) },
  }),
  defineOperation({
    id: 'create_user',
    method: 'POST',
    path: '/v1/users',
    tag,
    summary: 'Invite a user',
    description:
      'Answers with an invitation: a token good for seven days and one exchange at `POST /v1/invitations/accept`. ' +
      'It is shown only once; hand it to the user. An address that exists already is a conflict.',
    role: 'admin',
    body: createUserSchema,
    success: { status: 201, schema: invitedUserSchema },
    errors: ['conflict'],
    idempotent: true,
  }),
  defineOperation({
    id: 'accept_invitation',
    method: 'POST',
    path: '/v1/invitations/accept',
    tag,
    summary: 'Exchange an invitation for a token',
    description: 'Works once. The token is shown only once.',
    role: 'public',
    body: z.strictObject({ token: secretTokenSchema }),
    success: { status: 201, schema: createdTokenSchema },
    errors: ['not_found'],
  }),
  defineOperation({
    id: 'list_tokens',
    method: 'GET',
    path: '/v1/tokens',
    tag,
    summary: 'List tokens, newest first',
    description: 'Includes invitations and revoked tokens; never the tokens themselves.',
    role: 'admin',
    query: z.strictObject({ ...pageQuery, user_id: idSchema('usr').optional() }),
    success: { status: 200, schema: pageOf(tokenSchema) },
  }),
  defineOperation({
    id: 'create_token',
    method: 'POST',
    path: '/v1/tokens',
    tag,
    summary: 'Create a token',
    description: 'The token is shown only once; only its SHA-256 is kept.',
    role: 'admin',
    body: createTokenSchema,
    success: { status: 201, schema: createdTokenSchema },
    errors: ['not_found'],
    idempotent: true,
  }),
  defineOperation({
    id: 'revoke_token',
    method: 'DELETE',
    path: '/v1/tokens/{token_id}',
    tag,
    summary: 'Revoke a token or an invitation',
    description: 'The last valid admin token cannot be revoked.',
    role: 'admin',
    params: z.strictObject({ token_id: idSchema('tok') }),
    success: { status: 204 },
    errors: ['conflict'],
  }),
] as const satisfies readonly Operation[];
