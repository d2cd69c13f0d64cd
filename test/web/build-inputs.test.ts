import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const { inputs } = createRequire(import.meta.url)('../../scripts/ensure-web.cjs') as {
  readonly inputs: readonly string[];
};
const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly imports: Readonly<Record<string, string>>;
};

/** Returns the file of an import of this repository, from the root; `null` for packages. */
function resolve(from: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return join(dirname(from), specifier);
  if (specifier in imports) return join(imports[specifier]);
  const [pattern, target] =
    Object.entries(imports).find(
      ([each]) => each.endsWith('/*') && specifier.startsWith(each.slice(0, -1)),
    ) ?? [];
  if (pattern === undefined || target === undefined) return null;
  return join(target.replace('*', specifier.slice(pattern.length - 1)));
}

it('the web application is built anew after a change of any file that it imports', () => {
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file) || !existsSync(join(root, file))) return;
    seen.add(file);
    if (!/\.tsx?$/.test(file)) return;
    for (const [, specifier] of readFileSync(join(root, file), 'utf8').matchAll(
      /(?:from|import)\s+'([^']+)'/g,
    )) {
      const target = resolve(file, specifier);
      if (target !== null) visit(target);
    }
  };
  for (const file of globSync('web/src/**/*.{ts,tsx}', { cwd: root })) visit(relative('.', file));
  expect(seen.size).toBeGreaterThan(150);
  const isInput = (file: string) => inputs.some((input) => file === input || file.startsWith(`${input}/`));
  expect([...seen].filter((file) => !isInput(file))).toEqual([]);
  // The names that start with # are resolved by it.
  expect(inputs).toContain('package.json');
});
