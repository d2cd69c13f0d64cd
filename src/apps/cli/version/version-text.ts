import { contractVersions } from '#core/api';
import { version } from './version.ts';

/** Returns the output of `assay --version`, as a line of text or as JSON. */
export function versionText(json: boolean): string {
  const { api, version: contract } = contractVersions;
  return json
    ? `${JSON.stringify({ version, contract: contractVersions, node: process.versions.node }, null, 2)}\n`
    : `${version} (contract ${api}, ${contract}; Node ${process.versions.node})\n`;
}

/** Returns whether the arguments ask for the version, and the first option that is not allowed beside it. */
export function parseVersionRequest(argv: readonly string[]): {
  readonly asks: boolean;
  readonly odd?: string;
} {
  const odd = argv.slice(1).find((word) => word.startsWith('-') && word !== '--json');
  return { asks: argv[0] === '--version' || argv[0] === '-V', ...(odd === undefined ? {} : { odd }) };
}
