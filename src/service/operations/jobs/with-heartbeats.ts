const pause_ms = 15_000;

/** Events as they come, and a heartbeat whenever none has come for a while. */
export async function* withHeartbeats<Event, Heartbeat>(
  events: AsyncGenerator<Event>,
  heartbeat: () => Heartbeat,
  signal: AbortSignal,
): AsyncGenerator<Event | Heartbeat> {
  let next = events.next();
  try {
    while (!signal.aborted) {
      const silence = Promise.withResolvers<'silent'>();
      const timer = setTimeout(() => silence.resolve('silent'), pause_ms);
      const got = await Promise.race([next, silence.promise]).finally(() => clearTimeout(timer));
      if (got === 'silent') yield heartbeat();
      else if (got.done === true) return;
      else {
        next = events.next();
        yield got.value;
      }
    }
  } finally {
    next.catch(() => {});
    void events.return(undefined).catch(() => {});
  }
}
