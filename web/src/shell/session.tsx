import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use } from 'react';
import type { Role, Whoami } from '#client';
import { client, isSignedOut } from '../api/client.ts';
import { Failure } from '../components/failure.tsx';
import { takeArrival } from './arrival.ts';
import { SignIn } from './sign-in.tsx';

const Session = createContext<Whoami | null>(null);

/** Returns the signed-in user. Requires a `SessionGate` above it. */
export function useSession(): Whoami {
  const session = use(Session);
  if (session === null) throw new Error('useSession() needs a SessionGate above it');
  return session;
}

/** Roles in ascending order. */
export const roles: readonly Role[] = ['viewer', 'reviewer', 'engineer', 'admin'];

/** Returns true if the signed-in user has the role or a higher one. */
export function useMay(needs: Role): boolean {
  return roles.indexOf(useSession().role) >= roles.indexOf(needs);
}

/**
 * Returns a function that formats actor ids: the signed-in user is `you`, others keep their ids, since only admins
 * can list names.
 */
export function useActorName(): (actor: string) => string {
  const { user, token } = useSession();
  const own = user?.id ?? token.id;
  return (actor) => (actor === own ? 'you' : actor);
}

const arrival = takeArrival();

/**
 * Shows its children to signed-in users, and the sign-in form to others. After a session ends, the form is shown over
 * the page.
 */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: ['session'],
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    queryFn: () => {
      const token = arrival.take();
      return token === null ? client.tenant.whoami() : client.tenant.createSession({ token });
    },
  });
  const signedIn = (session: Whoami) => {
    queries.setQueryData(['session'], session);
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
  };
  if (error !== null && !isSignedOut(error) && !arrival.failed(error))
    return <Failure error={error} onRetry={() => void refetch()} />;
  return (
    <>
      {data !== undefined && <Session value={data}>{children}</Session>}
      {error !== null && <SignIn refused={isSignedOut(error) ? null : error} onSignedIn={signedIn} />}
      {data === undefined && error === null && <p className="waiting">Signing in…</p>}
    </>
  );
}
