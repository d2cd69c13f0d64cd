import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../docs/decisions');
/** `# 12. Title`, an empty line, and `Accepted 2026-11-21` or another status, perhaps with what replaced it. */
const head = /^# (\d+)\. (.+)\n\n(\S+) (\d{4}-\d\d-\d\d)(.*)\n/;

/** docs/decisions/README.md from the first lines of the records. Throws where a record has none of these. */
export function decisionsDoc(): string {
  const rows = readdirSync(folder)
    .filter((name) => /^\d{4}-.+\.md$/.test(name))
    .sort()
    .map(rowOf);
  return `# Decision records

Why things are as they are: choices that others could question, with what was measured. A record is not rewritten when
the choice changes; its status then names the record that replaces it. A new one takes the next number, and begins with
its title, status and date.

| | decision | status | date |
|---|---|---|---|
${rows.join('\n')}
`;
}

function rowOf(name: string): string {
  const found = head.exec(readFileSync(join(folder, name), 'utf8'));
  if (found === null || Number(found[1]) !== Number(name.slice(0, 4)))
    throw new Error(`${name} does not begin with its number and title, and its status and date`);
  const [, number, title, status, date, rest] = found;
  return `| ${number} | [${title}](${name}) | ${status}${rest} | ${date} |`;
}
