import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from './failure.tsx';

interface LoadedProps<T> {
  readonly of: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>;
  /** Name of the content, such as `the episode`. */
  readonly what: string;
  readonly children: (value: T) => ReactNode;
}

/** Shows an answer when it is loaded; before that a loading text, or the error. */
export function Loaded<T>({ of, what, children }: LoadedProps<T>) {
  if (of.data !== undefined) return children(of.data);
  if (of.error !== null) return <Failure error={of.error} onRetry={() => void of.refetch()} />;
  return <p className="waiting">Loading {what}…</p>;
}
