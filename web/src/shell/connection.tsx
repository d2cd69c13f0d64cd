import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { client, isAway } from '../api/client.ts';

const every_ms = 1500;

/** Says that the service does not answer, and asks everything again when it does. Nothing on the page is lost. */
export function Connection() {
  const queries = useQueryClient();
  const [away, setAway] = useState(false);
  useEffect(() => {
    const look = (error: unknown) => isAway(error) && setAway(true);
    const stops = [
      queries.getQueryCache().subscribe(({ query }) => look(query.state.error)),
      queries.getMutationCache().subscribe(({ mutation }) => look(mutation?.state.error)),
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
      setAway(false);
      await queries.invalidateQueries();
    }, every_ms);
    return () => clearInterval(timer);
  }, [away, queries]);
  return (
    <div role="status">
      {away && (
        <p className="connection">
          The service does not answer. What you typed stays here; this page tries again by itself.
        </p>
      )}
    </div>
  );
}
