import { type Contract, type ContractRule, contracts, type ReaderOutcome } from '#formats/rules';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const row = (...cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

const words: Record<ReaderOutcome, string> = {
  refuses_set: 'opens nothing',
  refuses_rows: 'fails at those rows',
  serves_wrong_rows: 'serves wrong rows',
  loads: 'loads',
};

/** docs/contracts.md from the contracts of all formats. */
export function contractsDoc(): string {
  const filled = contracts.filter(({ rules }) => rules.length > 0);
  return `# Contracts

What the canonical reader of a format refuses or silently misreads, as found in its source or by running it, in the
release named. A rule has no tolerance that its reader does not have.

- *opens nothing*: the reader refuses the dataset, or the part of it that the rule is about.
- *fails at those rows*: the reader opens the dataset and fails where the fault lies, or leaves it out.
- *serves wrong rows*: the reader gives other rows than were recorded, without an error.
- *loads*: the reader reads everything rightly; training, viewers or later edits suffer.

A dataset is judged by one loader: by that of its format and version, or by another whose own files it has, such as
GR00T's for \`meta/modality.json\`. \`assay assess --loader ID[,ID]\` chooses others, and so does \`loaders\` in the
[readiness settings](readiness-settings.md) of a project; the ids are in brackets. With several, the strictest counts.
What only other loaders refuse rejects no episode.

The code is that of the finding, or of the flag where a check raises it. A breach is reported on the dataset or on the
episode, with the severity in brackets. *Fix*: \`assay fix\` mends it
where what that takes is there; [fix.md](fix.md) says what that is and what it never does.

${filled.map(section).join('\n')}`;
}

function section({ title, readers, rules }: Contract): string {
  const titles = new Map(readers.map(({ id, title }) => [id, title]));
  const releases = readers.map(({ id, title, release }) => `${title} (\`${id}\`): ${release}`);
  return `## ${title}

${releases.join('. ')}.

| code | reported on | rule | breach | what to do | fix | peers |
|---|---|---|---|---|---|---|
${rules.map((rule) => ruleRow(rule, titles)).join('\n')}
`;
}

function ruleRow(
  { id, on, holds, consequences: breach, advice, fix, peers = [] }: ContractRule,
  titles: ReadonlyMap<string, string>,
): string {
  const does = Object.entries(breach).map(
    ([reader, { reader: what, severity }]) => `${titles.get(reader)}: ${words[what]} (${severity})`,
  );
  return row(`\`${id}\``, on, holds, does.join('; '), advice, fix === true ? 'yes' : 'no', peers.join(', '));
}
