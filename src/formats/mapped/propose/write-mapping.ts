import type { Guess, Guesses, StreamGuess } from './guesses.ts';
import type { Layout } from './layout.ts';

/** The mapping as YAML: every guess with its reason, and CHECK where a person must look. */
export function mappingText(layout: Layout, guesses: Guesses): string {
  const episodes = layout.is_single
    ? [`  file: ${yaml(layout.tables)}`, ...episodeColumn(guesses)]
    : [`  files: ${yaml(layout.tables)}  # ${layout.table_count} tables are called so`];
  return [
    '# How the signals of this folder are to be read. Written by `assay map init` from the first rows of',
    `# ${layout.sample}. A line with CHECK holds a guess that only you can confirm; delete the mark when you have.`,
    'assay_map: 1',
    '',
    'episodes:',
    ...episodes,
    '',
    ...clockLines(guesses),
    'streams:',
    ...guesses.streams.flatMap(streamLines),
    ...withOwnIds(layout.videos, guesses.streams).flatMap((video, at) => [
      ...(at === 0 ? ['', 'videos:'] : []),
      ...videoLines(video),
    ]),
    ...textLines(guesses),
    ...leftLines(guesses),
    '',
  ].join('\n');
}

/** Streams and videos share one list of names. */
function withOwnIds(videos: Layout['videos'], streams: readonly StreamGuess[]): Layout['videos'] {
  const taken = new Set(streams.map(({ id }) => id));
  return videos.map((video) => {
    let id = video.id;
    for (let n = 2; taken.has(id); n++) id = `${video.id}_${n}`;
    taken.add(id);
    return { ...video, id };
  });
}

function episodeColumn({ episode }: Guesses): string[] {
  return episode === null
    ? [
        '  # column: …  # the whole table is one episode; name the column that tells episodes apart, if there is one',
      ]
    : [`  column: ${yaml(episode.value)}${note(episode)}`];
}

function clockLines({ clocks }: Guesses): string[] {
  if (clocks.length === 0)
    return [
      '# No column looks like a clock. If rows come at a steady rate, say it; computed times prove nothing of capture.',
      '# rate_hz: 30',
      '',
    ];
  return [
    'clocks:  # the first is used, the others are kept; provenance says who wrote the stamps: hardware, header, publish, log',
    ...clocks.flatMap((clock) => [
      `  - column: ${yaml(clock.value.column)}`,
      `    unit: ${clock.value.unit}${note(clock)}`,
      ...(clock.value.epoch === 'unix' ? ['    epoch: unix'] : []),
      '    # provenance: log  # CHECK: say it if you know it',
    ]),
    '',
  ];
}

function streamLines(stream: StreamGuess): string[] {
  const { id, role, columns, low, high, grippers } = stream;
  const range = Number.isFinite(low)
    ? `the first rows reach from ${short(low)} to ${short(high)}`
    : 'no values yet';
  return [
    `  - id: ${yaml(id)}`,
    `    role: ${role.value}${note(role)}`,
    `    columns: [${columns.map(yaml).join(', ')}]`,
    `    # unit: …  # CHECK: rad, deg, m, … (${range}); without it the unit is unknown`,
    ...(grippers.length === 0 ? [] : ['    grippers:']),
    ...grippers.map(
      (column) =>
        `      - { column: ${yaml(column)}, open_value: null }  # CHECK: the value that means open; null: not known`,
    ),
  ];
}

function videoLines({ id, pattern, count, is_exact }: Layout['videos'][number]): string[] {
  const why = is_exact
    ? `${count} videos carry the name of an episode there`
    : `CHECK: ${count} videos are called so, none carries the name of an episode`;
  return [
    `  - id: ${yaml(id)}`,
    `    files: ${yaml(pattern)}  # ${why}`,
    '    frames: own  # CHECK: rows, where each row of the table belongs to one frame',
    '    # starts_at_s: 0  # CHECK: seconds from the first row to the first frame, if you know them',
  ];
}

function textLines({ task, outcome }: Guesses): string[] {
  return [
    '',
    task === null
      ? '# task: pick up the cup  # the instruction, if all episodes have the same; or { column: … }'
      : `task: { column: ${yaml(task.value)} }${note(task)}`,
    outcome === null
      ? '# outcome: { column: …, success: 1, failure: 0 }  # without it the outcome is unknown, never a failure'
      : `# outcome: { column: ${yaml(outcome.value)}, success: 1, failure: 0 }${note(outcome)}`,
    '# robot: …',
  ];
}

function leftLines({ left }: Guesses): string[] {
  if (left.length === 0) return [];
  const shown = left.slice(0, 40).map(({ name, because }) => `${printable(name)} (${because})`);
  const more = left.length > shown.length ? `, and ${left.length - shown.length} more` : '';
  return ['', `# Left out: ${shown.join(', ')}${more}`];
}

function note({ because, check }: Guess<unknown>): string {
  return check === null
    ? `  # ${printable(because)}`
    : `  # CHECK ${printable(check)} (${printable(because)})`;
}

/** A text as YAML that stands for nothing else. */
function yaml(text: string): string {
  return /^[A-Za-z_][\w./{}-]*$/.test(text) &&
    !/^(true|false|yes|no|on|off|null|y|n)$/i.test(text) &&
    !text.includes('{')
    ? text
    : JSON.stringify(text);
}

/** Names of columns are anybody's text; a line of comment must end where it ends. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, ' ').slice(0, 200);
}

function short(value: number): string {
  return String(Number(value.toPrecision(4)));
}
