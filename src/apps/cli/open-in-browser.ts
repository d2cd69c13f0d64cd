import { spawn } from 'node:child_process';
import { once } from 'node:events';

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens an address in the default browser. Resolves to `false` if no opener could be started or it failed. */
export async function openInBrowser(address: string): Promise<boolean> {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open'];
  try {
    const child = spawn(program, [...args, address], { stdio: 'ignore' });
    const [code] = await once(child, 'exit');
    return code === 0;
  } catch {
    return false;
  }
}
