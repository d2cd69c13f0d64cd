import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Reads a stream of events from the service while the component is mounted and calls `onEvent` with each. `open` starts
 * the stream and continues it after a lost connection; `null` if there is none. `key` identifies the stream: another one
 * ends it and opens the next. Returns the error that ended it, or `null`, and a function that opens it again.
 */
export function useStream<Event>(
  open: ((signal: AbortSignal) => AsyncIterable<Event>) | null,
  key: string,
  onEvent: (event: Event) => void,
): { readonly error: unknown; readonly again: () => void } {
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const receive = useEffectEvent(onEvent);
  const start = useEffectEvent((signal: AbortSignal) => open?.(signal));
  const isOpen = open !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` identifies the stream
  useEffect(() => {
    if (!isOpen) return undefined;
    const end = new AbortController();
    const follow = async () => {
      try {
        for await (const event of start(end.signal) ?? []) receive(event);
      } catch (thrown) {
        if (!end.signal.aborted) setError(thrown);
      }
    };
    setError(null);
    void follow();
    return () => end.abort();
  }, [key, isOpen, attempt]);
  return { error, again: () => setAttempt(attempt + 1) };
}
