import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { AssayError } from '#core';
import type { Io } from '../../io.ts';
import { openInBrowser } from '../../open-in-browser.ts';

/** Folder that `npm run docs-site` builds the documentation into; in a bundle it lies beside the program. */
const folder = fileURLToPath(new URL('../../../../../site', import.meta.url));

/** Runs `assay docs`: opens the local documentation in a browser. Throws `not_found` if it was not built. */
export async function docsCommand({ open }: { readonly open: boolean }, io: Io): Promise<number> {
  const page = `${folder}/index.html`;
  if (!existsSync(page))
    throw new AssayError('not_found', 'the documentation has not been built', {
      advice: 'in a clone, run npm run docs-site; the same pages are in docs/ as Markdown',
    });
  const { href } = pathToFileURL(page);
  await io.out(`${href}\n`);
  if (open && !(await openInBrowser(href)))
    io.note('assay: could not start a browser; open the address yourself\n');
  return 0;
}
