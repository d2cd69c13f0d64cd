import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { openInBrowser } from '../../open-in-browser.ts';
import {
  createServiceClient,
  findEndpoint,
  noServiceError,
  type ServiceArguments,
} from '../../service-client.ts';
import { signInAddress } from '../../sign-in-address.ts';

export interface OpenArguments extends ServiceArguments {
  /** `false` only prints the link. */
  readonly browser?: boolean;
  readonly json?: boolean;
}

/** Runs `assay open`: creates a sign-in link that works once and opens it in a browser. */
export async function openCommand(args: OpenArguments, io: Io, launcher: Launcher): Promise<number> {
  const place = await findEndpoint(args, launcher);
  if (place === null) throw noServiceError(args);
  const { token, expires_at } = await createServiceClient(place).tenant.createSignInLink();
  const address = signInAddress(place.address, token);
  await io.out(args.json === true ? `${JSON.stringify({ address, expires_at })}\n` : `${address}\n`);
  if (args.browser === false || args.json === true) return 0;
  const opened = await openInBrowser(address);
  io.note(
    opened
      ? 'assay: opened in your browser; the link works once\n'
      : 'assay: could not start a browser; open the link yourself, it works once within 30 minutes\n',
  );
  return 0;
}
