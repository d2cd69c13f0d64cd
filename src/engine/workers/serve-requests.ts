import { parentPort } from 'node:worker_threads';
import { AssayError } from '#core';
import { interruptQueries } from '#formats';
import { interruptShards } from '#store/blobs';
import { type FromWorker, type ToWorker, toFailure } from './messages.ts';

/** Handler of requests inside a worker thread. */
export interface RequestHandler<Request, Answer, Note = never> {
  do(request: Request, signal: AbortSignal): Promise<Answer>;
  note?(note: Note): void;
  /** Notifies the handler that the current request was cancelled; called after its signal was aborted. */
  cancel?(): void;
  /** Closes all resources. Called after the last request has ended. */
  close?(): Promise<void>;
}

/**
 * Serves requests to the current worker thread, one at a time, until it is closed. `open` creates the handler: at
 * once, and again after each reset.
 */
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
      (thrown) => ({ type: 'failed', failure: toFailure(thrown) }),
    );
    abort = null;
    allowQueries?.();
    allowQueries = null;
    send(reply);
  };

  const cancel = (): void => {
    // The request may have ended already; the next one must not be cancelled instead.
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

/**
 * Interrupts are repeated at this interval: a query may be about to start when the first is sent, and others may
 * follow.
 */
const interruptInterval_ms = 50;

/**
 * Interrupts all running and future queries of this thread; returns a function that allows queries again. Terminating a thread
 * during a query would end the whole process.
 */
function stopQueries(): () => void {
  const interrupt = () => {
    interruptQueries();
    interruptShards();
  };
  interrupt();
  const timer = setInterval(interrupt, interruptInterval_ms).unref();
  return () => clearInterval(timer);
}
