import { contractVersions } from '#contract';
import { version } from './version.ts';

/** What `assay --version` prints: a line for people, or JSON for programs. */
export function versionText(json: boolean): string {
  const { api, version: contract } = contractVersions;
  return json
    ? `${JSON.stringify({ version, contract: contractVersions, node: process.versions.node }, null, 2)}\n`
    : `${version} (contract ${api}, ${contract}; Node ${process.versions.node})\n`;
}

/** Whether the version is all that is asked for. */
export function asksForVersion(argv: readonly string[]): boolean {
  return (argv[0] === '--version' || argv[0] === '-V') && argv.slice(1).every((word) => word === '--json');
}
