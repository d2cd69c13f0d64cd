/** Writes the documentation as a site that opens from disk, searchable without a network: `npm run docs-site` (`-- FOLDER`). */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeSite } from './docs-site/write-site.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = resolve(process.argv[2] ?? `${root}/site`);
process.stdout.write(`${folder}: ${writeSite(root, folder)} pages\n`);
