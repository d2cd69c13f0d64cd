import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** `src/quality/report/views` as the one classic script that pages opened from a folder can load. */
export async function viewsScript(): Promise<string> {
  const input = fileURLToPath(new URL('../../src/quality/report/views/index.ts', import.meta.url));
  const bundle = await rolldown({ input, platform: 'browser', logLevel: 'warn' });
  const { output } = await bundle.generate({ format: 'iife', name: 'views', comments: false });
  await bundle.close();
  const [{ code }] = output;
  return `// What the web application shows alike. Written by \`npm run generate\` from src/quality/report/views. Change it there.\n${code.trimEnd()}\nObject.assign(assay, views);\n`;
}
