import { AssayError } from '#core';

/** Address of recordings: a dataset on a hub, or a folder or file on a web server. */
export type WebAddress =
  | {
      readonly kind: 'hub';
      readonly owner: string;
      readonly name: string;
      readonly revision: string;
      /** Folder or file within the dataset, without slashes at its ends; '' for all of it. */
      readonly path: string;
    }
  | { readonly kind: 'folder'; readonly url: URL };

type HubAddress = Extract<WebAddress, { kind: 'hub' }>;

const hubPattern =
  /^(?:datasets\/)?([\w.-]+)\/([\w.-]+)(?:@(refs\/(?:convert|pr)\/[^\s/]+|[^@\s/]+))?(?:\/+(\S(?:.*\S)?))?$/;
/** Path of a dataset’s page on the site of the hub. */
const pagePattern = /^\/datasets\/([\w.-]+)\/([\w.-]+)(?:\/(?:tree|blob|resolve)\/([^/]+)(?:\/(.+))?)?$/;
const hubHosts: ReadonlySet<string> = new Set(['huggingface.co', 'www.huggingface.co', 'hf.co']);

/**
 * Parses an address (`hf://…`, `https://…`, `http://…`), `null` for a local path; throws `usage` for any other scheme
 * or an invalid address. The address of a dataset’s page on huggingface.co is the dataset.
 */
export function webAddress(text: string): WebAddress | null {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1].toLowerCase();
  if (scheme === undefined) return null;
  if (scheme === 'hf') return hubAddress(text);
  if (scheme === 'https' || scheme === 'http') {
    const url = folderAddress(text);
    return pageAddress(url) ?? { kind: 'folder', url };
  }
  throw new AssayError('usage', `recordings cannot be read from ${scheme}://`, {
    advice: 'use a path, hf://OWNER/NAME or https://host/folder',
  });
}

/** Formats an address as the user would write it. */
export function formatAddress(address: WebAddress): string {
  if (address.kind === 'folder') return address.url.href;
  const { owner, name, revision, path } = address;
  const at = revision === 'main' ? '' : `@${escapeRevision(revision)}`;
  return `hf://datasets/${owner}/${name}${at}${path === '' ? '' : `/${path}`}`;
}

const escapeRevision = (revision: string): string =>
  /^refs\/(convert|pr)\//.test(revision) ? revision : encodeURIComponent(revision);

function hubAddress(text: string): HubAddress {
  if (/^hf:\/\/[^/]*:[^/]*@/i.test(text)) throw credentialsError();
  const match = hubPattern.exec(text.slice('hf://'.length).replace(/\/+$/, ''));
  const [, owner = '', name = '', revision = 'main', path = ''] = match ?? [];
  const parsed = match === null ? null : toHubAddress(owner, name, revision, path);
  // A repository of this kind is another one than a dataset of that name.
  if (parsed === null || ['datasets', 'models', 'spaces', 'buckets'].includes(owner)) {
    throw new AssayError('usage', `${text} is not a dataset address`, {
      advice: 'use hf://OWNER/NAME, and add @REVISION after the name for a revision other than main',
    });
  }
  return parsed;
}

function pageAddress({ hostname, protocol, port, pathname }: URL): HubAddress | null {
  if (!hubHosts.has(hostname) || protocol !== 'https:' || port !== '') return null;
  const [, owner = '', name = '', revision = 'main', path = ''] =
    pagePattern.exec(pathname.replace(/\/+$/, '')) ?? [];
  return owner === '' ? null : toHubAddress(owner, name, revision, decodeOrNull(path) ?? '..');
}

/** Returns the address; null if a part of it is not valid. */
function toHubAddress(owner: string, name: string, escaped: string, path: string): HubAddress | null {
  const revision = decodeOrNull(escaped);
  if (revision === null || [owner, name].some((part) => /^\.+$/.test(part))) return null;
  const names = path.split('/').filter((part) => part !== '');
  if (names.some((part) => /^\.+$/.test(part) || /[\p{Cc}\\]/u.test(part))) return null;
  if (/[\p{Cc}\\?#]/u.test(revision) || revision.split('/').some((part) => /^\.*$/.test(part))) return null;
  return { kind: 'hub', owner, name, revision, path: names.join('/') };
}

function decodeOrNull(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function folderAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null)
    throw new AssayError('usage', `${text} is not a valid URL`, { advice: 'check it for typos' });
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw credentialsError();
  return url;
}

/** The address is not repeated, because it contains secrets. */
const credentialsError = (): AssayError =>
  new AssayError('usage', 'URLs with a password, query or fragment are not supported', {
    advice: 'use a folder served without them, or copy it to this machine first',
  });
