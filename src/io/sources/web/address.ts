import { AssayError } from '#core';

/** Address of recordings: a dataset on a hub, or a folder or file on a web server. */
export type WebAddress =
  | { readonly kind: 'hub'; readonly owner: string; readonly name: string; readonly revision: string }
  | { readonly kind: 'folder'; readonly url: URL };

const hubPattern = /^hf:\/\/datasets\/([\w.-]+)\/([\w.-]+?)(?:@([^@\s]+))?\/?$/;

/**
 * Parses an address (`hf://…`, `https://…`, `http://…`). Returns null for a local path. Throws `usage` for any other
 * scheme or an invalid address.
 */
export function webAddress(text: string): WebAddress | null {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1].toLowerCase();
  if (scheme === undefined) return null;
  if (scheme === 'hf') return hubAddress(text);
  if (scheme === 'https' || scheme === 'http') return { kind: 'folder', url: folderAddress(text) };
  throw new AssayError('usage', `recordings cannot be read from ${scheme}://`, {
    advice: 'use a path, hf://datasets/OWNER/NAME or https://host/folder',
  });
}

function hubAddress(text: string): WebAddress {
  const match = hubPattern.exec(text);
  const parts = match?.slice(1, 3) ?? [];
  if (match === null || parts.some((part) => /^\.+$/.test(part))) {
    throw new AssayError('usage', `${text} is not a dataset address`, {
      advice: 'use hf://datasets/OWNER/NAME, with @REVISION at the end for a revision other than main',
    });
  }
  return { kind: 'hub', owner: match[1], name: match[2], revision: match[3] ?? 'main' };
}

function folderAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null)
    throw new AssayError('usage', `${text} is not a valid URL`, { advice: 'check it for typos' });
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new AssayError('usage', 'URLs with a password, query or fragment are not supported', {
      advice: 'use a folder served without them, or copy it to this machine first',
    });
  return url;
}
