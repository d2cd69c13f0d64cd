/**
 * One row a code: what a command exits with when nothing handles it (2 usage, 3 unreadable input, 4 internal), and what
 * the service answers with.
 */
export const errorCodes = {
  usage: { exit: 2, status: 422, title: 'The command was not understood' },
  bad_request: { exit: 2, status: 400, title: 'The request could not be read' },
  unauthenticated: { exit: 2, status: 401, title: 'No valid token' },
  budget_exceeded: { exit: 2, status: 402, title: 'It would cost more than the budget leaves' },
  forbidden: { exit: 2, status: 403, title: 'The role does not allow it' },
  method_not_allowed: { exit: 2, status: 405, title: 'The address does not know this method' },
  conflict: { exit: 2, status: 409, title: 'It conflicts with what is there' },
  idempotency_conflict: { exit: 2, status: 409, title: 'The idempotency key belongs to another request' },
  plan_changed: { exit: 2, status: 409, title: 'The plan is not what it was' },
  not_ready: { exit: 2, status: 409, title: 'Something must be finished first' },
  payload_too_large: { exit: 2, status: 413, title: 'The request is too large' },
  unsupported_media_type: { exit: 2, status: 415, title: 'The content type is not accepted' },
  invalid_request: { exit: 2, status: 422, title: 'The request is readable, but not acceptable' },
  invalid_settings: { exit: 2, status: 422, title: 'Settings could not be accepted' },
  source_not_allowed: { exit: 2, status: 422, title: 'Recordings may not be read from there' },
  hash_mismatch: { exit: 2, status: 422, title: 'The bytes are not what was promised' },
  rate_limited: { exit: 4, status: 429, title: 'Too many requests' },
  output_unwritable: { exit: 4, status: 503, title: 'The output could not be written' },
  not_found: { exit: 3, status: 404, title: 'Nothing is there' },
  not_permitted: { exit: 3, status: 422, title: 'Reading is not permitted' },
  not_recognised: { exit: 3, status: 422, title: 'No known recording format was recognised' },
  unreadable_input: { exit: 3, status: 422, title: 'The input could not be read' },
  unsupported_version: { exit: 3, status: 422, title: 'The format is known, this version of it is not' },
  limit_exceeded: { exit: 3, status: 422, title: 'The input passes a safety limit' },
  verification_failed: { exit: 1, status: 422, title: 'The document does not say what was sealed' },
  media_failed: { exit: 3, status: 422, title: 'Pictures or video could not be decoded' },
  busy: { exit: 4, status: 503, title: 'Too much of this is being worked on' },
  folder_locked: { exit: 4, status: 503, title: 'The data folder is in use' },
  database_unavailable: { exit: 4, status: 503, title: 'The database cannot be used' },
  storage_unavailable: { exit: 4, status: 503, title: 'The blob store cannot be used' },
  cancelled: { exit: 4, status: 503, title: 'The work was stopped' },
  internal: { exit: 4, status: 500, title: 'A fault in the program' },
} as const satisfies Record<string, { exit: 1 | 2 | 3 | 4; status: number; title: string }>;

export type ErrorCode = keyof typeof errorCodes;
