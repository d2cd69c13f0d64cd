import { AssayApiError } from '@assay/client';
import { type Query, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { Failure } from '../components/failure.tsx';

/** Above a page of which some part could not be loaded, whatever that part shows itself: the request, and a way on. */
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

/** A fault of the service, in what the page shows now. What it refuses for a reason is told where it was asked. */
const isFault = (query: Query): boolean =>
  query.isActive() &&
  query.queryKey[0] !== 'session' &&
  query.state.error instanceof AssayApiError &&
  (query.state.error.status ?? 0) >= 500 &&
  query.state.error.request_id !== null;
