import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Hears a stream of the service while the page shows what it tells; a stream that is cut goes on by itself. Gives why it ended,
 * where that was no end, and hears it again when asked to.
 */
export function useStream<Event>(
  open: ((signal: AbortSignal) => AsyncIterable<Event>) | null,
  key: string,
  onEvent: (event: Event) => void,
): { readonly error: unknown; readonly again: () => void } {
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const hear = useEffectEvent(onEvent);
  const start = useEffectEvent((signal: AbortSignal) => open?.(signal));
  const wanted = open !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says which stream it is
  useEffect(() => {
    if (!wanted) return undefined;
    const end = new AbortController();
    const follow = async () => {
      try {
        for await (const event of start(end.signal) ?? []) hear(event);
      } catch (thrown) {
        if (!end.signal.aborted) setError(thrown);
      }
    };
    setError(null);
    void follow();
    return () => end.abort();
  }, [key, wanted, attempt]);
  return { error, again: () => setAttempt(attempt + 1) };
}
