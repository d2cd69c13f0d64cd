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
  throw new AssayError('usage', `recordings are not read from ${scheme}://`, {
    advice: 'name a path, hf://datasets/OWNER/NAME or https://host/folder',
  });
}

function hubAddress(text: string): WebAddress {
  const match = hubPattern.exec(text);
  const parts = match?.slice(1, 3) ?? [];
  if (match === null || parts.some((part) => /^\.+$/.test(part))) {
    throw new AssayError('usage', `${text} names no dataset`, {
      advice: 'write hf://datasets/OWNER/NAME, with @REVISION behind it for another than main',
    });
  }
  return { kind: 'hub', owner: match[1], name: match[2], revision: match[3] ?? 'main' };
}

function folderAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null)
    throw new AssayError('usage', `${text} is no address`, { advice: 'check it for typing errors' });
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new AssayError('usage', 'addresses with a password, a query or a fragment are not read', {
      advice: 'name a folder that is served without them, or copy it here first',
    });
  return url;
}
