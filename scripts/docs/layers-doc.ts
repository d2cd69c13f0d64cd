import { layers, resourceClassOf, surfacesOf } from '#labels/annotation';

type LayerRow = (typeof layers.rows)[number];
type Knob = LayerRow['knobs'][string];

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const modes: Readonly<Record<string, string>> = {
  in_run: 'in every run',
  on_demand: 'on demand',
  off: 'off',
};
const work = { cpu: 'numbers alone', frames: 'frames', model: 'models' } as const;

/** docs/layers.md: every annotation layer, from the registry. */
export function layersDoc(): string {
  const rows = layers.rows.map(
    (layer) =>
      `| [${layer.title}](#${layer.id}) | \`${layer.id}\` | ${modes[layer.fallback]} | ${work[resourceClassOf(layer)]} | ${cell(layer.produces)} |`,
  );
  return `# Annotation layers

Annotation layers add labels and descriptions to episodes. A layer is set to *in every run*, *on demand* or *off*; a project's settings decide, then
its use case, then the layer itself. \`assay annotate PATH --layers segments,captions --out DIR\` writes the layers of a folder as
files; [models.md](models.md) lists the models. A layer omits what it cannot determine and gives the
reason. If it has no result at all, it is *not produced*: the annotation gives the reason, and the episode does not count as
annotated. Detecting no object in readable frames is output.

| layer | id | default mode | needs | what it adds to an episode |
|---|---|---|---|---|
${rows.join('\n')}

${layers.rows.map(section).join('\n')}`;
}

function section(layer: LayerRow): string {
  const { id, title, produces, needs, unfit, quality, exports, knobs, not_served } = layer;
  const used = [...needs.layers, ...(needs.layers_after_frames ?? [])];
  const facts = [
    not_served === null ? null : `Not served: ${not_served}.`,
    surfacesOf(layer).length === 0
      ? null
      : `Models for: ${surfacesOf(layer)
          .map((each) => `\`${each}\``)
          .join(', ')}.`,
    used.length === 0
      ? null
      : `Uses, where it is there: ${used.map((each) => `[\`${each}\`](#${each})`).join(', ')}.`,
    `Judged by \`${quality.signal}\`: ${quality.how}.`,
    exports.length === 0
      ? 'No export format carries it.'
      : `Carried by the exports ${exports.map((each) => `\`${each}\``).join(', ')}.`,
    ...Object.entries(unfit).map(([kind, reason]) => `Not for \`${kind}\`: ${reason}.`),
  ];
  return `<a id="${id}"></a>

## ${title}

\`${id}\`: ${produces}.

${facts
  .filter((fact) => fact !== null)
  .map((fact) => `- ${fact}`)
  .join('\n')}
${knobTable(knobs)}`;
}

function knobTable(knobs: LayerRow['knobs']): string {
  const rows = Object.entries(knobs).map(knobRow);
  return rows.length === 0
    ? ''
    : `\n| knob | default | values | what it does |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

const knobRow = ([id, knob]: [string, Knob]): string =>
  `| \`${id}\` | ${String(knob.default)} | ${valuesOf(knob)} | ${cell(knob.summary)}${knob.moves_cost ? '; moves the cost' : ''} |`;

function valuesOf(knob: Knob): string {
  if (knob.type === 'choice') return knob.values.map((each) => `\`${each}\``).join(', ');
  if (knob.type === 'flag') return 'true, false';
  if (knob.type === 'names') return `${knob.maximum_items} names at most`;
  return `${knob.minimum} to ${knob.maximum}${knob.unit === null ? '' : ` ${knob.unit}`}`;
}
