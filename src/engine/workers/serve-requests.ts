import { parentPort } from 'node:worker_threads';
import { AssayError } from '#core';
import { interruptQueries } from '#formats';
import { interruptShards } from '#store/blobs';
import { failureOf } from './failure.ts';
import type { FromWorker, ToWorker } from './messages.ts';

/** What a worker does, inside its thread. */
export interface RequestHandler<Request, Answer, Note = never> {
  do(request: Request, signal: AbortSignal): Promise<Answer>;
  note?(note: Note): void;
  /** The request under way is not wanted any more; its signal was aborted. */
  cancel?(): void;
  /** Comes last, when no request is under way. */
  close?(): Promise<void>;
}

/** Answers the requests that the calling thread gets, one at a time, until it is closed. */
export function serveRequests<Request, Answer, Event = never, Note = never>(
  open: (say: (event: Event) => void) => RequestHandler<Request, Answer, Note>,
): void {
  const port = parentPort!;
  const send = (message: FromWorker<Answer, Event>) => port.postMessage(message);
  const openHandler = () => open((event) => send({ type: 'event', event }));
  let handler = openHandler();
  let abort: AbortController | null = null;
  let allowQueries: (() => void) | null = null;
  let working = Promise.resolve();

  const answer = async (request: Request): Promise<void> => {
    abort = new AbortController();
    const reply: FromWorker<Answer, Event> = await handler.do(request, abort.signal).then(
      (answered) => ({ type: 'answer', answer: answered }),
      (thrown) => ({ type: 'failed', failure: failureOf(thrown) }),
    );
    abort = null;
    allowQueries?.();
    allowQueries = null;
    send(reply);
  };

  const cancel = (): void => {
    // The request may have ended meanwhile, and this is not for the next.
    if (abort === null || abort.signal.aborted) return;
    abort.abort(new AssayError('cancelled', 'the work was stopped'));
    handler.cancel?.();
    allowQueries = stopQueries();
  };

  const close = async (): Promise<void> => {
    cancel();
    await working;
    stopQueries();
    await handler.close?.().catch(() => {});
    send({ type: 'closed' });
  };

  /** Closes the handler and opens another. */
  const reset = async (): Promise<void> => {
    await working;
    await handler.close?.();
    handler = openHandler();
    send({ type: 'was-reset' });
  };

  port.on('message', (message: ToWorker<Request, Note>) => {
    if (message.type === 'request') working = answer(message.request);
    else if (message.type === 'note') handler.note?.(message.note);
    else if (message.type === 'cancel') cancel();
    else if (message.type === 'reset') reset().catch(close);
    else void close();
  });
}

/** A query may be on its way to the engine when it is first asked, and another may follow it. */
const again_ms = 50;

/**
 * Ends the queries of this thread, which then fail, and those that follow, until the function that is given is called.
 * A thread must not be ended over a query under way: that ends the process.
 */
function stopQueries(): () => void {
  const interrupt = () => {
    interruptQueries();
    interruptShards();
  };
  interrupt();
  const again = setInterval(interrupt, again_ms).unref();
  return () => clearInterval(again);
}
