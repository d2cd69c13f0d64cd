import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isSignedOut } from './client.ts';

/**
 * Refetches the session if an answer says that it has ended, so that the sign-in form is shown over the page, which
 * keeps its inputs.
 */
const onError = (thrown: unknown) => {
  if (isSignedOut(thrown)) void queryClient.invalidateQueries({ queryKey: ['session'] });
};

/** Cache of answers by operation and input. It does not retry, because the API client does. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (thrown, { queryKey: [first] }) => {
      if (first !== 'session') onError(thrown);
    },
  }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: { retry: false, staleTime: 2000, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
});
