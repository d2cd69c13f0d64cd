import { type Query, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { AssayApiError } from '#client';
import { Failure } from '../components/failure.tsx';

/** Banner above a page if some content could not be loaded, with the request id and a retry button. */
export function Faults() {
  const queries = useQueryClient().getQueryCache();
  const failed = () => queries.getAll().find(isFault);
  const query = useSyncExternalStore(
    (onChange) => queries.subscribe(onChange),
    () => failed()?.state.error ?? null,
  );
  if (query === null) return null;
  const again = () => {
    for (const each of queries.getAll().filter(isFault)) void each.fetch().catch(() => {});
  };
  return (
    <div className="faults">
      <Failure error={query} onRetry={again} />
    </div>
  );
}

/**
 * Returns true if a visible query failed because of a server error. Other errors are shown where the request was
 * made.
 */
const isFault = (query: Query): boolean =>
  query.isActive() &&
  query.queryKey[0] !== 'session' &&
  query.state.error instanceof AssayApiError &&
  (query.state.error.status ?? 0) >= 500 &&
  query.state.error.request_id !== null;
