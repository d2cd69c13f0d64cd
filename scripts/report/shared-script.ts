import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** Returns what the report shares with the web application as one classic script, which pages opened from a folder can load. */
export async function sharedScript(): Promise<string> {
  const input = fileURLToPath(new URL('../../src/quality/report/timeline/script.ts', import.meta.url));
  const bundle = await rolldown({ input, platform: 'browser', logLevel: 'warn' });
  const { output } = await bundle.generate({ format: 'iife', name: 'shared', comments: false });
  await bundle.close();
  const [{ code }] = output;
  return `// Shared with the web application. Written by \`npm run generate\` from src/quality/report/{views,timeline}. Change it there.\n${code.trimEnd()}\nObject.assign(assay, shared);\n`;
}
