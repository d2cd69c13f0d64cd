import type { TargetProfile } from '#core/api';
import { readers } from '#formats';
import { exportFormats } from '#formats/write';
import {
  describeUseCase,
  sourceFormats,
  targetProfiles,
  type UseCaseView,
  useCases,
} from '#quality/use-cases';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const row = (...cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

/** docs/use-cases.md from the catalogue. */
export function useCasesDoc(): string {
  return `# Use cases and targets

A workspace declares a use case, a project a target. The use case names things on the screens, says which targets and
formats fit and why the others do not, and stresses readiness checks. The target decides the steps to training data, the
format it leaves in, and what the data must carry; \`GET /v1/projects/{project_id}/readiness/target\` holds the data
against it.

${useCases.rows.map((useCase) => useCaseSection(describeUseCase(useCase, (id) => readers.get(id) !== undefined))).join('\n')}
# Targets

${targetProfiles.rows.map(targetSection).join('\n')}
# Formats

| source format | id | read by this version | what it carries |
|---|---|---|---|
${sourceFormats.rows.map(({ id, title, carries }) => row(title, `\`${id}\``, readers.get(id) === undefined ? 'no' : 'yes', carries)).join('\n')}

| export format | id | kinds | what it carries |
|---|---|---|---|
${exportFormats.rows.map(({ id, title, kinds, carries }) => row(title, `\`${id}\``, kinds.join(', '), carries)).join('\n')}
`;
}

function useCaseSection(useCase: UseCaseView): string {
  const { nouns, readiness_emphasis, capabilities } = useCase;
  const former =
    useCase.aliases.length === 0 ? '' : `, formerly ${useCase.aliases.map((id) => `\`${id}\``).join(', ')}`;
  const words = Object.entries(nouns).map(([noun, { one }]) => `${noun}: ${one}`);
  const stressed = readiness_emphasis.map(
    ({ check, weight_factor, reason }) => `- \`${check}\` × ${weight_factor}: ${reason}`,
  );
  const asked = Object.entries(capabilities).map(
    ([id, { requested, reason }]) => `${id} ${requested ? 'in every run' : 'on demand'} (${reason})`,
  );
  return `## ${useCase.title}

\`${useCase.id}\`${former}. ${useCase.summary}

**Words.** ${words.join(', ')}. **Kinds expected.** ${useCase.expected_kinds.join(', ')}.

| target | fits | why |
|---|---|---|
${useCase.target_profiles.map(({ title, applicable, recommended, reason }) => row(title, recommended ? 'recommended' : applicable ? 'yes' : 'no', reason)).join('\n')}

${unfit('Source formats', useCase.source_formats)}

${unfit('Export formats', useCase.export_formats)}

**Checks stressed.**${stressed.length === 0 ? ' None: the published weights count.' : `\n\n${stressed.join('\n')}`}

**Costly annotation.** ${asked.join('; ')}. **Presets.** ${useCase.presets.map((id) => `\`${id}\``).join(', ')}.
`;
}

type Fit = { readonly title: string; readonly reason: string | null };

/** Formats refused for one reason together. */
function unfit(what: string, formats: readonly Fit[]): string {
  const byReason = Map.groupBy(
    formats.filter(({ reason }) => reason !== null),
    ({ reason }) => reason,
  );
  if (byReason.size === 0) return `**${what}.** All fit.`;
  const groups = [...byReason].map(
    ([reason, refused]) => `- ${refused.map(({ title }) => title).join(', ')}: ${reason}`,
  );
  return `**${what} that do not fit.**\n\n${groups.join('\n')}`;
}

function targetSection(target: TargetProfile): string {
  return `## ${target.title}

\`${target.id}\`. ${target.summary} Trained on ${target.kinds.join(', ')}; leaves as \`${target.export_format}\`.

| step | layers | why |
|---|---|---|
${target.pipeline_steps.map(({ id, layers, why }) => row(id, layers.map((layer) => `\`${layer}\``).join(', '), why)).join('\n')}

| needs | | why |
|---|---|---|
${target.requirements.map(({ id, level, why }) => row(`\`${id}\``, level, why)).join('\n')}
`;
}
