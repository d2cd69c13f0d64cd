import type { Failure } from './failure.ts';

/** What a worker hears. It answers each request with one answer or failure, one at a time. */
export type ToWorker<Request, Note> =
  | { readonly type: 'request'; readonly request: Request }
  /** Something that is not answered. */
  | { readonly type: 'note'; readonly note: Note }
  /** The request under way is not wanted any more. */
  | { readonly type: 'cancel' }
  /** What is open is not wanted any more; other work may follow. */
  | { readonly type: 'renew' }
  /** Nothing more is wanted. */
  | { readonly type: 'close' };

export type FromWorker<Answer, Event> =
  /** It has come further with the request under way. */
  | { readonly type: 'event'; readonly event: Event }
  | { readonly type: 'answer'; readonly answer: Answer }
  | { readonly type: 'failed'; readonly failure: Failure }
  /** It has let go of everything, and remembers nothing of it. */
  | { readonly type: 'renewed' }
  /** It has let go of everything and can be ended. */
  | { readonly type: 'closed' };
