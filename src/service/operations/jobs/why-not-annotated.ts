import { AssayError, type ErrorCode } from '#core';
import type { AnnotationJob } from '#core/api';

/** Reasons for which work can end that are an answer to whoever waits for it; all others are faults of the program. */
const answers: readonly ErrorCode[] = [
  'not_found',
  'unreadable_input',
  'unsupported_version',
  'limit_exceeded',
  'media_failed',
  'not_permitted',
  'layer_unavailable',
  'budget_exceeded',
  'storage_unavailable',
  'database_unavailable',
  'busy',
  'rate_limited',
  'endpoint_unavailable',
  'endpoint_failed',
];

/** Why a job of one episode that has ended brought nothing, as an error of the closed list. */
export function refusalOf(job: AnnotationJob, episode_id: string): AssayError {
  const details = { job_id: job.id, layer: job.layer };
  if (job.status === 'cancelled') {
    return new AssayError('conflict', 'the job was cancelled while its end was waited for', {
      advice: 'send the request again where it is still wanted',
      details,
    });
  }
  const reason = job.failures.find((one) => one.episode_id === episode_id)?.error ?? job.error;
  const message = reason?.message ?? 'the job gave no reason';
  const code = answers.find((known) => known === reason?.code) ?? 'internal';
  return new AssayError(code, `${job.layer} could not be made of the episode: ${message}`, {
    ...(reason?.advice == null ? {} : { advice: reason.advice }),
    details,
  });
}
