import { AssayError } from '#core';
import { bridgeStdio, serveStdio } from '#service/mcp/stdio';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { findPlace, noService, type PlaceArguments } from '../../service-place.ts';
import { version } from '../../version/version.ts';
import { folderOffer } from './folder/folder-offer.ts';

export interface McpArguments extends PlaceArguments {
  readonly out?: string;
}

/** `assay mcp [PATH]`: the protocol on standard input and output, until the client goes. */
export async function mcpCommand(
  path: string | undefined,
  args: McpArguments,
  io: Io,
  launcher: Launcher,
): Promise<number> {
  if (path === undefined) {
    if (args.out !== undefined)
      throw new AssayError('usage', '--out is for a path; a service keeps its exports', {
        advice: 'leave it out',
      });
    const place = await findPlace(args, launcher);
    if (place === null) throw noService(args);
    io.note(`assay: MCP on standard input and output, for the service at ${place.address}\n`);
    await bridgeStdio(place, io.signal);
    return 0;
  }
  if (args.url !== undefined)
    throw new AssayError('usage', 'a path and --url are two things to work', { advice: 'name one of them' });
  const offer = await folderOffer(path, args.out, io, launcher);
  io.note(`assay: MCP on standard input and output, for ${path}\n`);
  const onFault = (thrown: unknown) => io.note(`assay: ${String(thrown)}\n`);
  await serveStdio({ version, offer, whoOf: () => null, onFault }, io.signal);
  return 0;
}
