import { AssayError } from '#core';

/** Recordings that are named by an address. */
export type WebAddress =
  | { readonly kind: 'hub'; readonly owner: string; readonly name: string; readonly revision: string }
  | { readonly kind: 'folder'; readonly url: URL };

const hubShape = /^hf:\/\/datasets\/([\w.-]+)\/([\w.-]+?)(?:@([^@\s]+))?\/?$/;

/** What an address names; null for a path of this machine. Throws `usage` for one that is neither. */
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
  const said = hubShape.exec(text);
  const parts = said?.slice(1, 3) ?? [];
  if (said === null || parts.some((part) => /^\.+$/.test(part))) {
    throw new AssayError('usage', `${text} names no dataset`, {
      advice: 'write hf://datasets/OWNER/NAME, with @REVISION behind it for another than main',
    });
  }
  return { kind: 'hub', owner: said[1], name: said[2], revision: said[3] ?? 'main' };
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
