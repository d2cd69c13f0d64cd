import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Paths that a page names in code, `src/formats/<format>/` up to what stands for a name, and those it links to. */
function pathsIn(page: string, text: string): string[] {
  const named = [
    ...text.matchAll(/`((?:src|test|docs|packages|clients|web|scripts|bench|python)\/[^`\s]*)`/g),
  ];
  const linked = [...text.matchAll(/\]\(([^)#\s:]+)(?:#[^)]*)?\)/g)];
  return [
    ...named.map(([, path]) => path.replace(/[^/]*[<*{].*$/, '')),
    ...linked.map(([, path]) => join(dirname(page), path)),
  ];
}

/** Written by a build, and not in the repository. */
const built = ['web/dist'];

test.each(['README.md', 'CONTRIBUTING.md', 'docs/architecture.md', 'docs/glossary.md'])(
  '%s names folders, files and scripts that exist',
  (page) => {
    const text = readFileSync(join(root, page), 'utf8');
    const paths = pathsIn(page, text).filter((path) => !built.includes(path));
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const run = [...text.matchAll(/`npm run ([a-z-]+)/g)].map(([, name]) => name);
    expect(run.filter((name) => !(name in scripts))).toEqual([]);
  },
);
