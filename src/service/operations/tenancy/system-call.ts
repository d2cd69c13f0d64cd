import { newId } from '#core';
import type { Call } from '../call.ts';

/** A call by whoever owns the installation: its first start, or its command line. `name` is what the log shows. */
export function systemCall(tenant_id: string, name: string, now: Date): Call {
  return {
    actor: { tenant_id, token_id: 'system', user_id: null, name, role: 'admin' },
    request_id: newId('req'),
    now,
  };
}
