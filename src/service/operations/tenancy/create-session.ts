import { AssayError } from '#core';
import { tokenShape, type Whoami } from '#core/api';
import type { Store } from '#store';
import type { Call } from '../call.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { findActor } from './find-actor.ts';
import { whoami } from './whoami.ts';

/** Who is signed in, and what their browser is to keep. */
export interface Session {
  readonly whoami: Whoami;
  readonly token: string;
}

/**
 * Signs a browser in: a token as it is, a sign-in link or an invitation by the token it is exchanged for. Throws
 * `not_found` where it opens nothing.
 */
export async function createSession(
  store: Store,
  call: Pick<Call, 'request_id' | 'now'>,
  given: string,
): Promise<Session> {
  const token = (await opens(store, given, call.now))
    ? given
    : (await acceptInvitation(store, call, given)).token;
  const actor = await findActor(store, token, call.now);
  if (actor === null) throw new AssayError('not_found', 'the token was revoked just now');
  return { whoami: await whoami(store, { ...call, actor }), token };
}

const opens = async (store: Store, token: string, now: Date): Promise<boolean> =>
  tokenShape.test(token) && (await findActor(store, token, now)) !== null;
