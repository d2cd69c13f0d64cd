import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { AssayError } from '#core';
import type { Io } from '../../io.ts';
import { openInBrowser } from '../../open-in-browser.ts';

/** Where `npm run docs-site` writes the documentation; beside the program in a bundle. */
const folder = fileURLToPath(new URL('../../../../../site', import.meta.url));

/** `assay docs`: opens the documentation from disk. Throws `not_found` where it was not built. */
export async function docsCommand({ open }: { readonly open: boolean }, io: Io): Promise<number> {
  const page = `${folder}/index.html`;
  if (!existsSync(page))
    throw new AssayError('not_found', 'the documentation is not here', {
      advice: 'in a clone npm run docs-site writes it; the same pages are in docs/ as Markdown',
    });
  const { href } = pathToFileURL(page);
  await io.out(`${href}\n`);
  if (open && !(await openInBrowser(href)))
    io.note('assay: no browser could be started here; open the address yourself\n');
  return 0;
}
