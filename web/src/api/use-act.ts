import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import type { OperationId, Operations } from '#client';
import { client } from './client.ts';

/** Returns a mutation that calls an operation and then refetches the answers of the operations in `changes`. */
export function useAct<Id extends OperationId>(
  id: Id,
  changes: readonly OperationId[],
): UseMutationResult<Operations[Id]['answer'], unknown, Operations[Id]['input']> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (input: Operations[Id]['input']) => (await client.ask(id, input)).value,
    // The mutation succeeds as soon as the service answers; it does not wait for the refetches.
    onSettled: () => {
      for (const changed of changes) void queries.invalidateQueries({ queryKey: [changed] });
    },
  });
}
