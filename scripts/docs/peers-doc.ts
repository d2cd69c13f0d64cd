import { type Peer, type PeerRule, peers } from '#formats/rules';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const row = (...cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

/** docs/peers.md from the table of what other tools find. */
export function peersDoc(): string {
  return `# Peers

What other tools for LeRobot sets look for, by the source of the release named, and what Assay says of the same fault.
Where both tools are installed, a test runs them and Assay on the sets of \`robovet demo\` and holds Assay to this table
(\`test/interop/peers.test.ts\`). Codes are those of findings and flags; [contracts](contracts.md) and
[checks](checks.md) describe them. Where the last column gives a reason, what the peer says is no fault by itself.

${peers.map(section).join('\n')}`;
}

function section({ tool, release, rules }: Peer): string {
  return `## ${tool} ${release}

| rule | finds | Assay says | no fault by itself |
|---|---|---|---|
${rules.map(ruleRow).join('\n')}
`;
}

function ruleRow({ rule, finds, ours, not_a_fault }: PeerRule): string {
  return row(`\`${rule}\``, finds, ours.map((code) => `\`${code}\``).join(', ') || '–', not_a_fault ?? '');
}
