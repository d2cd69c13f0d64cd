import type { Finding } from '#episode';

/** Numbers and stamps of an open episode, bytes; past this it is closed and the recording goes on in another. */
export const heldLimit = 48 * 1024 * 1024;

/** Said of each episode that is a part of a recording. */
export function splitFinding(path: string, part: number): Finding {
  return {
    code: 'recording_split',
    severity: 'info',
    path,
    message: `the recording is too long to be held at once; this is part ${part}, judged on its own`,
    advice: 'nothing to do; to judge whole episodes, record each into a file of its own',
  };
}

/** Said of a recording that could be read and is empty. */
export function noMessages(path: string): Finding {
  return {
    code: 'no_messages',
    severity: 'warning',
    path,
    message: 'the recording holds no message',
    advice: 'take the file out, or find out why nothing was recorded',
  };
}
