import { tools } from '#service/copilot';

/** docs/tools.md: every tool of the copilot and of the MCP server. */
export function toolsDoc(notice: string): string {
  const cell = (text: string) => text.replaceAll('|', '\\|');
  const rows = tools.rows.map(
    ({ id, role, effect, confirmed, description }) =>
      `| \`${id}\` | ${role} | ${effect} | ${confirmed ? 'yes' : ''} | ${cell(description)} |`,
  );
  const confirmed = tools.rows.filter((tool) => tool.confirmed).length;
  return `${notice}

# Tools

What the copilot ([copilot.md](copilot.md)) and programs over MCP ([mcp.md](mcp.md)) can do: ${tools.rows.length} tools, of which a person
confirms ${confirmed}. A tool calls the use case of an operation of the interface, so role, tenant, validation, errors and audit are
the same; its input is that operation's path, query and body in one object. A role's catalogue holds what it may do and
nothing else: a viewer's holds only what reads.

- Effects: \`read\` changes nothing; \`write\` changes what can be changed back; \`destructive\` ends, removes or fixes something for
  good; \`spend\` decides about money.
- Each use is in the audit log as \`use_tool\` with the tool, the outcome, a hash of the arguments and the user who confirmed it,
  next to the entries of the operation itself under the same request id.
- No result contains a token: invited users get theirs from an admin.

| tool | lowest role | effect | a person confirms | what it does |
|---|---|---|---|---|
${rows.join('\n')}
`;
}
