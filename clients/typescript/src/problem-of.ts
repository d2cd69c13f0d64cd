import { AssayApiError } from './api-error.ts';
import type { Problem } from './generated/types.ts';

/** Converts an error response to an error: the service’s problem, or `unexpected_answer` if it is not from the service. */
export async function problemOf(answer: Response): Promise<AssayApiError> {
  const { status, url, headers } = answer;
  const retry_after_s = secondsIn(headers.get('retry-after'));
  const request_id = headers.get('x-request-id');
  const body: unknown = await answer.json().catch(() => null);
  if (!isProblem(body))
    return new AssayApiError('unexpected_answer', `${url} returned HTTP ${status}`, {
      status,
      request_id,
      retry_after_s,
    });
  const { code, detail, advice = null, errors = [], request_id: body_request_id, ...more } = body;
  const { type: _type, title: _title, status: _status, instance: _instance, ...details } = more;
  return new AssayApiError(code, detail, {
    status,
    advice,
    errors,
    details,
    request_id: body_request_id,
    retry_after_s,
  });
}

function isProblem(body: unknown): body is Problem {
  if (typeof body !== 'object' || body === null) return false;
  const { code, detail, request_id } = body as Partial<Problem>;
  return typeof code === 'string' && typeof detail === 'string' && typeof request_id === 'string';
}

/** Returns the seconds of a `Retry-After` header, which holds seconds or a date; null if it holds neither. */
function secondsIn(header: string | null): number | null {
  if (header === null) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}
