/**
 * Writes what is derived from the code: the ids of annotation layers for the contract, docs/{certification,checks,formats,contracts,peers,use-cases,tools,errors,layers,configuration,limits,decisions/README}.md, docs/receipt.schema.json, openapi.json,
 * the report's script of what the web application shows alike, and the operations of the clients for TypeScript and Python.
 * With --check nothing is written, and the exit code is 1 when a file is out of date.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { receiptSchema, settingBounds } from '#core/api';
import { openApiDocument, operations } from '#core/api/operations';
import { codeTitle } from '#core/titles';
import { readers, unreadFormats } from '#formats';
import { layers } from '#labels/annotation';
import { checks, comparisons, decisionBounds, type Formula, viewOf } from '#quality/readiness';
import { environmentSchema } from '../src/apps/program/environment.ts';
import type { OpenApiDocument } from './client/document.ts';
import { clientFiles, clientFolder } from './client/index.ts';
import { pythonFiles, pythonFolder } from './client/python/index.ts';
import { certificationDoc } from './docs/certification-doc.ts';
import { contractsDoc } from './docs/contracts-doc.ts';
import { decisionsDoc } from './docs/decisions-doc.ts';
import { errorsDoc } from './docs/errors-doc.ts';
import { layersDoc } from './docs/layers-doc.ts';
import { limitsDoc } from './docs/limits-doc.ts';
import { peersDoc } from './docs/peers-doc.ts';
import { toolsDoc } from './docs/tools-doc.ts';
import { useCasesDoc } from './docs/use-cases-doc.ts';
import { sharedScript } from './report/shared-script.ts';

const notice = '<!-- Written by `npm run generate` from the code. Change it there. -->';

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function checksDoc(): string {
  const { accept, reject, graded_fraction } = decisionBounds;
  const [lowest, highest] = settingBounds.threshold_offset;
  const rows = checks.rows.map(
    (check) =>
      `| [${check.title}](#${check.id}) | \`${check.id}\` | ${viewOf[check.id]} | ${check.weight} | ${check.threshold.value} | ${check.kinds.join(', ')} |`,
  );
  return `${notice}

# Checks

Each check has one of four results: \`scored\`, from 0 to 1; \`inapplicable\` to this kind of data, or to a recording without
the required streams; \`not_assessable\` if it applies but could not be measured; \`disabled\` by the settings. Only scored
checks count.

- A check grades several aspects. Its score is the lowest aspect score; every aspect below the threshold raises its flag.
- Score of an episode = Σ weight · score / Σ weight over the scored checks. Evaluated fraction = Σ weight of the scored
  checks / Σ weight of the scored and not assessable checks.
- \`reject\`: a blocking flag, a blocking finding of the episode, or a score below ${reject}.
- \`review\`: a flag of severity warning, an error among the findings of the episode, an evaluated fraction below
  ${graded_fraction}, or a score below ${accept}.
- \`accept\`: all others. Flags and findings of severity info change neither score nor decision.
- Settings can disable a check, shift its threshold by ${lowest} to +${highest}, and multiply its weight by ${settingBounds.weight_factor.join(' to ')}. Values outside
  these bounds are clamped.

| check | id | view | weight | threshold | kinds |
|---|---|---|---|---|---|
${rows.join('\n')}

${checks.rows.map(checkSection).join('\n')}
# Comparisons across episodes

Defects of the whole dataset are dataset findings and do not lower the scores of episodes. Defects of one episode are
graded by the listed checks.

| comparison | id | graded by | what it compares |
|---|---|---|---|
${comparisons.rows.map((row) => `| ${row.title} | \`${row.id}\` | ${row.judged_by.map((id) => `\`${id}\``).join(', ') || 'dataset finding'} | ${cell(row.about)} |`).join('\n')}
`;
}

const notBeside = (exact: string | undefined) =>
  exact === undefined ? '' : ` Not listed together with \`${exact}\`, which is more specific.`;

function formulaTable({ combine, aspects, notes = [] }: Formula): string {
  const rows = aspects.map(({ what, score }) => `| ${cell(what)} | ${cell(score)} |`);
  const exempt = notes.map((note) => `- ${note}.`);
  return [
    `**Formula.** ${combine}:`,
    `| measured | score |\n|---|---|\n${rows.join('\n')}`,
    ...(exempt.length > 0 ? [exempt.join('\n')] : []),
  ].join('\n\n');
}

function checkSection(check: (typeof checks.rows)[number]): string {
  const flags = check.flags.map(
    (flag) =>
      `| ${codeTitle(flag.code)} | \`${flag.code}\` | ${flag.severity} | ${cell(flag.meaning)}${notBeside(flag.echo_of)} | ${cell(flag.advice)} |`,
  );
  return `<a id="${check.id}"></a>

## ${check.title}

\`${check.id}\`, weight ${check.weight}. Needs ${check.needs}.

${formulaTable(check.formula)}

**Threshold.** ${check.threshold.value}: ${check.threshold.source}.

**Calibrated on.** ${check.calibrated_on}.

| flag | code | severity | meaning | what to do |
|---|---|---|---|---|
${flags.join('\n')}
`;
}

function formatsDoc(): string {
  const rows = readers.rows.map(
    (reader) => `## ${reader.title}\n\n\`${reader.id}\`. ${reader.about.trim()}\n`,
  );
  const unread = unreadFormats.map(
    ({ title, about, advice }) => `- **${title}.** ${about} To convert: ${advice}.`,
  );
  return `${notice}

# Formats

Formats are recognised by bytes and structure, never by a file's extension. \`assay inspect PATH\` says what was
recognised and why. MCAP, bags, HDF5, flight logs and videos are found under any name: of files that no name claims, the
first 4 KiB are looked at (of 2000 files at most, and not of metadata, tables, code and sound).

${rows.join('\n')}
## Recognised, not read

These are named with the way to convert them; videos beside them are sent to review.

${unread.join('\n')}
`;
}

function receiptSchemaFile(): string {
  const schema = { title: 'Assay readiness receipt, version 1', ...z.toJSONSchema(receiptSchema) };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

function configurationDoc(): string {
  const rows = Object.entries(environmentSchema.shape).map(([name, schema]) => {
    const standard = schema instanceof z.ZodDefault ? `\`${schema.def.defaultValue}\`` : '';
    return `| \`${name}\` | ${standard} | ${cell(schema.description ?? '')} |`;
  });
  return `${notice}

# Configuration

\`assay serve\` and \`assay worker\` read these environment variables; command-line options override them. None is
required: without any, all data is stored in one folder, and the service answers only this machine.

| variable | default | meaning |
|---|---|---|
${rows.join('\n')}
`;
}

/** The contract may not import the registry, and its enumeration must be known to the compiler. */
function layerIdsModule(): string {
  const ids = layers.ids.map((id) => `  '${id}',`).join('\n');
  return `// Written by \`npm run generate\` from src/labels/annotation/layer-registry.ts. Change it there.

/** Ids of annotation layers, in display order. */
export const layerIds = [
${ids}
] as const;
`;
}

const layerIdsPath = 'src/core/api/layer-ids.ts';

const document = openApiDocument(operations);
const contract = document as unknown as OpenApiDocument;
const shared = await sharedScript();
const clients = [...clientFiles(contract), ...pythonFiles(contract)];

const outputs: readonly (readonly [path: string, text: () => string])[] = [
  [layerIdsPath, layerIdsModule],
  ['docs/checks.md', checksDoc],
  ['docs/formats.md', formatsDoc],
  ['docs/contracts.md', () => `${notice}\n\n${contractsDoc()}`],
  ['docs/certification.md', () => certificationDoc(notice)],
  ['docs/errors.md', () => `${notice}\n\n${errorsDoc()}`],
  ['docs/layers.md', () => `${notice}\n\n${layersDoc()}`],
  ['docs/limits.md', () => `${notice}\n\n${limitsDoc()}`],
  ['docs/peers.md', () => `${notice}\n\n${peersDoc()}`],
  ['docs/decisions/README.md', () => `${notice}\n\n${decisionsDoc()}`],
  ['docs/tools.md', () => toolsDoc(notice)],
  ['docs/use-cases.md', () => `${notice}\n\n${useCasesDoc()}`],
  ['docs/receipt.schema.json', receiptSchemaFile],
  ['openapi.json', () => `${JSON.stringify(document, null, 2)}\n`],
  ['docs/configuration.md', configurationDoc],
  ['src/quality/report/client/shared.js', () => shared],
  ...clients.map(({ path, text }) => [path, () => text] as const),
];

function againWithNewIds(): never {
  const { status } = spawnSync(process.execPath, process.argv.slice(1), { stdio: 'inherit' });
  process.exit(status ?? 1);
}

const at = (path: string): URL => new URL(`../${path}`, import.meta.url);
const only = process.argv.includes('--check');
for (const [path, text] of outputs) {
  const url = at(path);
  const wanted = text();
  if (existsSync(url) && readFileSync(url, 'utf8') === wanted) continue;
  if (only) {
    console.error(`${path} is out of date: run npm run generate`);
    process.exitCode = 1;
  } else {
    mkdirSync(new URL('.', url), { recursive: true });
    writeFileSync(url, wanted);
    console.log(`wrote ${path}`);
    // The following files are generated from the contract, which was loaded with the previous ids.
    if (path === layerIdsPath) againWithNewIds();
  }
}

const kept = new Set(clients.map(({ path }) => path));
for (const folder of [clientFolder, pythonFolder]) {
  for (const file of readdirSync(at(`${folder}/`), { recursive: true, withFileTypes: true })) {
    const path = `${folder}/${relative(fileURLToPath(at(folder)), join(file.parentPath, file.name))}`;
    if (file.isDirectory() || path.endsWith('.pyc') || kept.has(path)) continue;
    if (only) {
      console.error(`${path} is of an operation that is gone: run npm run generate`);
      process.exitCode = 1;
    } else {
      rmSync(at(path));
      console.log(`removed ${path}`);
    }
  }
}
