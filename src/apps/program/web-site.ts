import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { sha256 } from '#core';
import type { Site, SiteFile } from '#service/http';

/** Where `npm run web` writes the web application; beside the program in a bundle. */
const folder = fileURLToPath(new URL('../../../web/dist', import.meta.url));

const index = 'index.html';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

/**
 * The web application as it was built; undefined where it was not. Its few files are read when it is opened and kept, so that
 * what is built beside a running service does not take files from under its pages.
 */
export function openSite(): Site | undefined {
  if (!existsSync(join(folder, index))) return undefined;
  const names = [index, ...readdirSync(join(folder, 'assets')).map((name) => `assets/${name}`)];
  const known = names.filter((name) => types[extname(name)] !== undefined);
  const files = new Map(known.map((name) => [name, readSiteFile(name)]));
  return { file: async (path) => (await files.get(path)) ?? null };
}

async function readSiteFile(path: string): Promise<SiteFile | null> {
  const plain = await readFile(join(folder, path)).catch(() => null);
  if (plain === null) return null;
  const packed = await promisify(gzip)(plain, { level: 9 });
  return {
    content_type: types[extname(path)],
    etag: `"${sha256(plain).slice(0, 32)}"`,
    plain,
    gzipped: packed.length < plain.length ? packed : null,
    immutable: path.startsWith('assets/'),
  };
}
