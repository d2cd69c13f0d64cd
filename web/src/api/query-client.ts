import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isSignedOut } from './client.ts';

/** A session that ends under an open page shows the sign-in form over it: the page, and what was typed, stays. */
const onError = (thrown: unknown) => {
  if (isSignedOut(thrown)) void queryClient.invalidateQueries({ queryKey: ['session'] });
};

/** What was answered, by operation and input. The client tries again by itself. */
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
