import type { ReactNode } from 'react';
import { AssayApiError } from '#client';

/** Error message with advice and the request id, which the service's log also contains. */
export function Complaint({ error, children }: { readonly error: unknown; readonly children?: ReactNode }) {
  const { message, advice, request_id } = factsOf(error);
  return (
    <div className="complaint" role="alert">
      <p>{sentence(message)}</p>
      {advice !== null && <p className="advice">{sentence(advice)}</p>}
      {request_id !== null && (
        <p className="faint">
          Request ID <code>{request_id}</code>
        </p>
      )}
      {children}
    </div>
  );
}

/** Error message in place of content that could not be loaded. */
export function Failure({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  return (
    <Complaint error={error}>
      {onRetry !== undefined && (
        <button type="button" className="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </Complaint>
  );
}

/** Returns the message, advice and request id of any error. */
export function factsOf(error: unknown) {
  if (error instanceof AssayApiError) {
    const places = error.errors
      .filter(({ message }) => !error.message.includes(message))
      .map(({ pointer, message }) => `${pointer.replace('/body/', '')}: ${message}`);
    return { ...error, message: [error.message, ...places].join('; ') };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { message, advice: null, request_id: null };
}

const sentence = (text: string): string => {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
};
