import { contractVersions } from '#core/api';
import { version } from './version.ts';

/** What `assay --version` prints: a line for people, or JSON for programs. */
export function versionText(json: boolean): string {
  const { api, version: contract } = contractVersions;
  return json
    ? `${JSON.stringify({ version, contract: contractVersions, node: process.versions.node }, null, 2)}\n`
    : `${version} (contract ${api}, ${contract}; Node ${process.versions.node})\n`;
}

/** Whether the version is asked for, and the first option beside it that it does not have. */
export function asksForVersion(argv: readonly string[]): { readonly asks: boolean; readonly odd?: string } {
  const odd = argv.slice(1).find((word) => word.startsWith('-') && word !== '--json');
  return { asks: argv[0] === '--version' || argv[0] === '-V', ...(odd === undefined ? {} : { odd }) };
}
