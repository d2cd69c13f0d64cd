/**
 * Returns the error message of an answer (RFC 9457), with the request id for errors of the service, whose log
 * contains it.
 */
export async function readProblem(answer: Response): Promise<string> {
  const problem: unknown = await answer.json().catch(() => null);
  const detail =
    typeof problem === 'object' && problem !== null && 'detail' in problem ? problem.detail : null;
  const message = typeof detail === 'string' ? detail : `the service returned HTTP ${answer.status}`;
  const request = answer.headers.get('x-request-id');
  return answer.status >= 500 && request !== null ? `${message} (request ${request})` : message;
}
