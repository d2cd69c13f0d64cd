import type { Failure } from './failure.ts';

/** What a worker hears. It answers each request with one answer or failure, one at a time. */
export type ToWorker<Request, Note> =
  | { readonly type: 'request'; readonly request: Request }
  /** Something that is not answered. */
  | { readonly type: 'note'; readonly note: Note }
  /** The request under way is not wanted any more. */
  | { readonly type: 'cancel' }
  /** Close everything, and begin as if new. */
  | { readonly type: 'reset' }
  /** Nothing more is wanted. */
  | { readonly type: 'close' };

export type FromWorker<Answer, Event> =
  /** It has come further with the request under way. */
  | { readonly type: 'event'; readonly event: Event }
  | { readonly type: 'answer'; readonly answer: Answer }
  | { readonly type: 'failed'; readonly failure: Failure }
  /** It has closed everything, and can be used as if new. */
  | { readonly type: 'was-reset' }
  /** It has let go of everything and can be ended. */
  | { readonly type: 'closed' };
