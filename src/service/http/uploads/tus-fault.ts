import { AssayError, type ErrorCode } from '#core';

const codes: Readonly<Record<number, ErrorCode>> = {
  400: 'bad_request',
  403: 'bad_request',
  404: 'not_found',
  409: 'conflict',
  410: 'not_found',
  412: 'bad_request',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  501: 'bad_request',
};

/** What the protocol's own code refused, or what a use case threw inside it, as one of our codes. */
export function tusFault(thrown: unknown, status: number, text: string): AssayError {
  if (thrown instanceof AssayError) return thrown;
  const code = codes[status];
  if (code !== undefined) return new AssayError(code, text.trim(), { advice: advice(status) });
  // All that is left is that the bytes could not be kept: a full disk, or a sender who went away.
  return new AssayError('storage_unavailable', `the bytes could not be kept: ${text.trim()}`, {
    advice: 'make room in the data folder; the upload goes on where it stopped',
    cause: thrown,
  });
}

function advice(status: number): string {
  return status === 409
    ? 'ask with HEAD how much came, and go on from that Upload-Offset'
    : 'see https://tus.io/protocols/resumable-upload, version 1.0.0';
}
