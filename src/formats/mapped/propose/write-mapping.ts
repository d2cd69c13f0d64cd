import { isPictureName } from '../../shared/file-names.ts';
import type { CameraGuess, Guesses, StreamGuess, TextSource } from './guesses.ts';
import type { Layout } from './layout.ts';
import type { Guess } from './meaning.ts';

/** Returns a mapping as YAML: each guess with its reason, and CHECK where a person must confirm it. */
export function mappingText(layout: Layout, guesses: Guesses): string {
  return [
    '# Describes how the signals of this folder are read. Written by `assay map init` from the first rows of',
    `# ${toPrintable(layout.sample.path)}${layout.sample.group === null ? '' : `, ${toPrintable(layout.sample.group)}`}. Lines with CHECK contain guesses: confirm each one and delete the comment.`,
    'assay_map: 1',
    '',
    'episodes:',
    ...episodeLines(layout, guesses),
    ...(layout.rows === null ? [] : [`rows: ${yaml(layout.rows)}  # the list with one object per sample`]),
    '',
    ...clockLines(guesses),
    'streams:',
    ...guesses.streams.flatMap(streamLines),
    ...cameraLines(layout, guesses),
    ...textLines(guesses),
    ...skippedLines(guesses),
    '',
  ].join('\n');
}

function episodeLines(layout: Layout, { episode }: Guesses): string[] {
  const { groups, table_count, sample } = layout;
  if (layout.isZarr === true) return zarrLines(layout, episode);
  if (sample.kind === 'folder') {
    const what = sample.steps === null ? '.npy files' : 'files of one step each';
    const steps = sample.steps === null ? [] : [`  steps: ${yaml(sample.steps)}  # each file is one row`];
    return table_count > 1
      ? [`  folders: ${yaml(layout.tables)}  # ${table_count} folders with ${what} match`, ...steps]
      : [`  folder: ${yaml(layout.tables)}`, ...steps];
  }
  const group =
    groups === null
      ? []
      : [`  group: ${yaml(groups.pattern)}  # ${groups.count} groups match in the first file`];
  if (table_count > 1) return [`  files: ${yaml(layout.tables)}  # ${table_count} files match`, ...group];
  const file = `  file: ${yaml(layout.tables)}`;
  if (groups !== null) return [file, ...group];
  return [
    file,
    episode === null
      ? '  # column: …  # the whole table is one episode; otherwise name the column that identifies the episode'
      : `  column: ${yaml(episode.value)}${comment(episode)}`,
  ];
}

function zarrLines({ tables, table_count, groups }: Layout, episode: Guesses['episode']): string[] {
  const folder =
    table_count > 1
      ? `  folders: ${yaml(tables)}  # ${table_count} zarr folders match`
      : `  folder: ${yaml(tables)}`;
  if (groups !== null)
    return [folder, `  group: ${yaml(groups.pattern)}  # ${groups.count} groups match in the first zarr`];
  return episode === null ? [folder] : [folder, `  column: ${yaml(episode.value)}${comment(episode)}`];
}

/** Writes the cameras, with ids that are unique among streams and cameras. */
function cameraLines({ videos }: Layout, { streams, cameras }: Guesses): string[] {
  const usedIds = new Set(streams.map(({ id }) => id));
  const uniqueId = (wanted: string) => {
    let id = wanted;
    for (let n = 2; usedIds.has(id); n++) id = `${wanted}_${n}`;
    usedIds.add(id);
    return id;
  };
  const lines = [
    ...cameras.flatMap((camera) => pictureColumnLines(camera, uniqueId(camera.id))),
    ...videos.flatMap((video) => videoLines({ ...video, id: uniqueId(video.id) })),
  ];
  return lines.length === 0 ? [] : ['', 'videos:', ...lines];
}

function pictureColumnLines({ column, role, isRaw }: CameraGuess, id: string): string[] {
  return [
    `  - id: ${yaml(id)}`,
    `    column: ${yaml(column.value)}${comment(column)}`,
    ...(role === 'camera' ? [] : [`    role: ${role}`]),
    ...(isRaw && role === 'camera' ? ['    colours: rgb  # CHECK: rgb or bgr; OpenCV writes bgr'] : []),
  ];
}

function clockLines({ clocks, rate }: Guesses): string[] {
  if (rate !== null) return [`rate_hz: { path: ${yaml(rate.value)} }${comment(rate)}`, ''];
  if (clocks.length === 0)
    return [
      '# No column looks like a clock. If rows have a constant rate, declare it; computed times do not prove when samples were captured.',
      '# rate_hz: 30  # CHECK: the rate of the recorder, if you know it',
      '',
    ];
  return [
    'clocks:  # the first is used, the others are kept; provenance says who set the timestamps: hardware, header, publish, log',
    ...clocks.flatMap((clock) => [
      `  - column: ${yaml(clock.value.column)}`,
      `    unit: ${clock.value.unit}${comment(clock)}`,
      ...(clock.value.epoch === 'unix' ? ['    epoch: unix'] : []),
      '    # provenance: log  # CHECK: declare it if you know it',
    ]),
    '',
  ];
}

function streamLines(stream: StreamGuess): string[] {
  const { id, role, unit, columns, low, high, grippers } = stream;
  const range = Number.isFinite(low)
    ? `values range from ${shortNumber(low)} to ${shortNumber(high)} in the first rows`
    : 'no values yet';
  return [
    `  - id: ${yaml(id)}`,
    `    role: ${role.value}${comment(role)}`,
    `    columns: [${columns.map(yaml).join(', ')}]`,
    unit === null
      ? `    # unit: …  # CHECK: rad, deg, m, … (${range}); if omitted, the unit is unknown`
      : `    unit: ${yaml(unit.value)}${comment(unit)}`,
    ...(grippers.length === 0 ? [] : ['    grippers:']),
    ...grippers.map(
      (column) =>
        `      - { column: ${yaml(column)}, open_value: null }  # CHECK: the value that means open; null if unknown`,
    ),
  ];
}

function videoLines({ id, pattern, count, is_exact }: Layout['videos'][number]): string[] {
  const why = is_exact
    ? `the names of ${count} videos contain an episode name`
    : `CHECK: ${count} videos match, but none has an episode name in its path`;
  if (isPictureName(pattern))
    return [`  - id: ${yaml(id)}`, `    files: ${yaml(pattern)}  # one image per step`];
  return [
    `  - id: ${yaml(id)}`,
    `    files: ${yaml(pattern)}  # ${why}`,
    '    frames: own  # CHECK: use rows if each row of the table belongs to one frame',
    '    # starts_at_s: 0  # CHECK: seconds from the first row to the first frame, if known',
  ];
}

function textLines({ task, outcome }: Guesses): string[] {
  return [
    '',
    task === null
      ? '# task: pick up the cup  # the instruction, if it is the same for all episodes; or { column: … }'
      : `task: { ${textSource(task.value)} }${comment(task)}`,
    outcome === null
      ? '# outcome: { column: …, success: 1, failure: 0 }  # if omitted, the outcome is unknown, never a failure'
      : `# outcome: { ${textSource(outcome.value)}, success: 1, failure: 0 }${comment(outcome)}`,
    '# robot: …',
  ];
}

const textSource = ({ kind, name }: TextSource) => `${kind}: ${yaml(name)}`;

function skippedLines({ skipped }: Guesses): string[] {
  if (skipped.length === 0) return [];
  const listed = skipped.slice(0, 40).map(({ name, because }) => `${toPrintable(name)} (${because})`);
  const more = skipped.length > listed.length ? `, and ${skipped.length - listed.length} more` : '';
  return ['', `# Not used: ${listed.join(', ')}${more}`];
}

function comment({ because, check }: Guess<unknown>): string {
  return check === null
    ? `  # ${toPrintable(because)}`
    : `  # CHECK ${toPrintable(check)} (${toPrintable(because)})`;
}

/** Quotes a text for YAML unless it is a plain string. */
function yaml(text: string): string {
  return /^[A-Za-z_][\w./{}-]*$/.test(text) &&
    !/^(true|false|yes|no|on|off|null|y|n)$/i.test(text) &&
    !text.includes('{')
    ? text
    : JSON.stringify(text);
}

/** Removes control characters and line breaks, which would end a YAML comment, and cuts to 200 characters. */
function toPrintable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, ' ').slice(0, 200);
}

function shortNumber(value: number): string {
  return String(Number(value.toPrecision(4)));
}
