import { AssayApiError } from './api-error.ts';
import type { Problem } from './generated/types.ts';

/** A refusal as an error: the problem that the service tells, or `unexpected_answer` where it was not the service. */
export async function problemOf(answer: Response): Promise<AssayApiError> {
  const { status, url, headers } = answer;
  const retry_after_s = secondsIn(headers.get('retry-after'));
  const request_id = headers.get('x-request-id');
  const told: unknown = await answer.json().catch(() => null);
  if (!isProblem(told))
    return new AssayApiError('unexpected_answer', `${url} returned HTTP ${status}`, {
      status,
      request_id,
      retry_after_s,
    });
  const { code, detail, advice = null, errors = [], request_id: named, ...more } = told;
  const { type: _type, title: _title, status: _status, instance: _instance, ...details } = more;
  return new AssayApiError(code, detail, {
    status,
    advice,
    errors,
    details,
    request_id: named,
    retry_after_s,
  });
}

function isProblem(told: unknown): told is Problem {
  if (typeof told !== 'object' || told === null) return false;
  const { code, detail, request_id } = told as Partial<Problem>;
  return typeof code === 'string' && typeof detail === 'string' && typeof request_id === 'string';
}

/** `Retry-After` is seconds, or the time from which on. */
function secondsIn(header: string | null): number | null {
  if (header === null) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}
