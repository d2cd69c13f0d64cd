/** One row a code: what the process exits with when nothing handles it (decisions: 2 usage, 3 unreadable input, 4 internal). */
export const errorCodes = {
  usage: { exit: 2, title: 'The command was not understood' },
  invalid_settings: { exit: 2, title: 'Settings could not be accepted' },
  output_unwritable: { exit: 4, title: 'The output could not be written' },
  not_found: { exit: 3, title: 'Nothing is there' },
  not_permitted: { exit: 3, title: 'Reading is not permitted' },
  not_recognised: { exit: 3, title: 'No known recording format was recognised' },
  unreadable_input: { exit: 3, title: 'The input could not be read' },
  unsupported_version: { exit: 3, title: 'The format is known, this version of it is not' },
  limit_exceeded: { exit: 3, title: 'The input passes a safety limit' },
  verification_failed: { exit: 1, title: 'The document does not say what was sealed' },
  media_failed: { exit: 3, title: 'Pictures or video could not be decoded' },
  cancelled: { exit: 4, title: 'The work was stopped' },
  internal: { exit: 4, title: 'A fault in the program' },
} as const satisfies Record<string, { exit: 1 | 2 | 3 | 4; title: string }>;

export type ErrorCode = keyof typeof errorCodes;
