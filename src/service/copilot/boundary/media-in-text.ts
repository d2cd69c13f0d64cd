import { holdsBase64 } from './base64-text.ts';
import { holdsDataUri } from './data-uri.ts';
import { namesMediaFile } from './media-path.ts';
import { plainText } from './plain-text.ts';

/** What may not reach a chat provider. */
export type MediaKind = 'bytes' | 'data_uri' | 'base64' | 'media_path';

/** What of media a text holds; null: nothing. */
export function mediaInText(text: string): Exclude<MediaKind, 'bytes'> | null {
  if (text.length < 4) return null;
  const plain = plainText(text);
  if (holdsDataUri(plain)) return 'data_uri';
  if (namesMediaFile(plain)) return 'media_path';
  return holdsBase64(text) || (plain !== text && holdsBase64(plain)) ? 'base64' : null;
}
