/** What a request is sent with. */
export interface AskOptions {
  readonly abortSignal?: AbortSignal;
}

/** Gives up a request whose answer has not begun in time; a body that comes afterwards may take as long as it takes. */
export async function inTime<T>(answer_ms: number, request: (options: AskOptions) => Promise<T>): Promise<T> {
  if (answer_ms === Number.POSITIVE_INFINITY) return request({});
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), answer_ms);
  try {
    return await request({ abortSignal: late.signal });
  } finally {
    clearTimeout(timer);
  }
}
