import { errorCodes } from '#core';
import { operations } from '#core/api/operations';

const exits: Readonly<Record<number, string>> = {
  1: 'what was looked at does not hold',
  2: 'what was asked cannot be done: correct it',
  3: 'what should be read cannot be read',
  4: 'it did not finish: try again, or see the log',
};

/** docs/errors.md: every code of errors, with the operations that name it. */
export function errorsDoc(): string {
  const answeredBy = Map.groupBy(
    operations.rows.flatMap(({ id, errors = [] }) => errors.map((code) => ({ code, id }))),
    ({ code }) => code,
  );
  const rows = Object.entries(errorCodes).map(([code, { title, exit, status }]) => {
    const named = (answeredBy.get(code as keyof typeof errorCodes) ?? []).map(({ id }) => `\`${id}\``);
    return `| \`${code}\` | ${title} | ${status} | ${exit} | ${named.length > 6 ? `${named.length} operations` : named.join(', ')} |`;
  });
  return `# Error codes

Every refusal has a code of this table, a sentence that says what was seen, and where there is something to do, advice. A
command prints both and ends with the exit code; \`--json\` gives them as an object. The service answers
\`application/problem+json\` with the status, the same \`code\`, \`detail\` and \`advice\`, and a \`request_id\` that its log names.

${Object.entries(exits)
  .map(([exit, says]) => `- Exit ${exit}: ${says}.`)
  .join('\n')}

The last column names operations of the interface that say the code of themselves; those about tokens, roles, limits and
faults may come from any.

| code | what it says | status | exit | named by |
|---|---|---|---|---|
${rows.join('\n')}
`;
}
