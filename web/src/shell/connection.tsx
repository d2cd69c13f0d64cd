import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { client, isUnreachable } from '../api/client.ts';

const every_ms = 1500;
type State = 'there' | 'away' | 'back';

/**
 * Banner shown while the service does not respond; refetches all data when it is available again. The page is kept.
 */
export function Connection() {
  const queries = useQueryClient();
  const [state, setState] = useState<State>('there');
  const away = state === 'away';
  useEffect(() => {
    // Only new failures count; an error that is still shown may be old.
    const look = (error: unknown) => isUnreachable(error) && setState('away');
    const stops = [
      queries.getQueryCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error') look(event.action.error);
      }),
      queries.getMutationCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error') look(event.action.error);
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [queries]);
  useEffect(() => {
    if (!away) return undefined;
    const timer = setInterval(async () => {
      const answers = await client.service.checkHealth({ tries: 1, timeout_ms: every_ms }).then(
        () => true,
        () => false,
      );
      if (!answers) return;
      await queries.invalidateQueries();
      setState('back');
    }, every_ms);
    return () => clearInterval(timer);
  }, [away, queries]);
  return (
    <div role="status">
      {away && (
        <p className="connection">
          The service is not responding. Your input is kept, and this page reconnects automatically.
        </p>
      )}
      {state === 'back' && (
        <p className="connection">
          The service is available again, and this page shows current data. Changes sent during the outage may
          not have been saved: check them and submit them again if needed.
          <button type="button" className="quiet" onClick={() => setState('there')}>
            Close
          </button>
        </p>
      )}
    </div>
  );
}
