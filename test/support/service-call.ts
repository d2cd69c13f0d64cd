import { newId } from '#core';
import type { Role } from '#core/api';
import type { Call } from '#service/operations';

/** A call by somebody with `role`; by default in a tenant that nobody else is in. */
export function callAs(role: Role, tenant_id: string = newId('tnt'), now: Date = new Date()): Call {
  return {
    actor: { tenant_id, token_id: newId('tok'), user_id: null, name: `test ${role}`, role },
    request_id: newId('req'),
    now,
  };
}
