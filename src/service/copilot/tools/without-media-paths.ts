import { AssayError, type JsonValue } from '#core';
import { namesMediaFile } from '../boundary/media-path.ts';
import { plainText } from '../boundary/plain-text.ts';

const instead = '[media file]';
const names = (text: string): boolean => namesMediaFile(plainText(text));

/**
 * The same answer without paths of media files, which findings and sources name in their usual work. What else the
 * boundary refuses stays, to be refused there.
 */
export function withoutMediaPaths(value: JsonValue): JsonValue {
  if (typeof value === 'string') return withoutPath(value);
  if (Array.isArray(value)) return value.map(withoutMediaPaths);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [withoutPath(key), withoutMediaPaths(member)]),
  );
}

/** The same refusal, as a model may read it. */
export function errorWithoutMediaPaths(error: AssayError): AssayError {
  const { code, message, advice, details } = error;
  return new AssayError(code, withoutPath(message), {
    ...(advice === null ? {} : { advice: withoutPath(advice) }),
    details: Object.fromEntries(
      Object.entries(details).map(([key, member]) => [withoutPath(key), withoutMediaPaths(member)]),
    ),
    cause: error,
  });
}

/** The same text, with a word in place of each path. */
export function withoutPath(text: string): string {
  if (text.length < 4 || !names(text)) return text;
  const kept = text
    .split(/(\s+)/)
    .map((word) => (names(word) ? instead : word))
    .join('');
  return names(kept) ? instead : kept;
}
