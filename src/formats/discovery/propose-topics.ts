import type { Stream } from '#core/episode';
import { openSourceTree, type RecordingsSource } from '#io/sources';
import { mappingFiles } from '../mapped/mapping-files.ts';
import type { MappingProposal } from '../mapped/propose/index.ts';
import { guessTopicStreams, type TopicStreamGuess } from '../mapped/propose/topic-guesses.ts';
import type { TopicField } from '../shared/messages/mapped-topics.ts';
import { discover } from './discover.ts';
import { topicFormats } from './topic-mapping.ts';

/** Roles that are read without a mapping; other topics are proposed. */
const isUnmapped = ({ role, modality }: Stream): boolean =>
  role === 'other' && (modality === 'numeric' || modality === 'opaque');

/** Options of `proposeTopics`. */
export interface TopicProposalOptions {
  /** True to propose all topics, without the names of their message types. For tests of the guesses. */
  readonly ignoresTypes?: boolean;
}

/** A topic of a recording, with its numeric fields. */
interface TopicFacts {
  readonly type: string;
  readonly fields: readonly TopicField[];
}

/**
 * Returns the text of a proposed topic mapping for topics without a role in MCAP files and bags, judged by the
 * beginning of the first recording; `null` if there are no such recordings, or no topic needs one.
 */
export async function proposeTopics(
  source: RecordingsSource,
  { ignoresTypes = false }: TopicProposalOptions = {},
): Promise<MappingProposal | null> {
  const tree = await openSourceTree(source);
  const { datasets } = await discover(source);
  try {
    const bags = datasets.find(({ dataset }) => topicFormats.has(dataset.facts.format));
    const [unit] = bags?.dataset.units ?? [];
    if (bags === undefined || unit === undefined) return null;
    const topics = new Map<string, TopicFacts>();
    const observe = (topic: string, type: string, fields: readonly TopicField[]) => {
      topics.set(topic, { type: ignoresTypes ? '' : type, fields });
    };
    const probe = { path: mappingFiles[0], streams: [], observe };
    const proposals: string[] = [];
    const summary: string[] = [];
    for await (const item of bags.dataset.read(unit, { look: true, hashes: false, topics: probe })) {
      if ('unreadable' in item) break;
      for (const [topic, { type, fields }] of topics) {
        const own = item.streams.filter(({ id }) => id === topic || id.startsWith(`${topic}.`));
        if (!ignoresTypes && own.length > 0 && !own.every(isUnmapped)) continue;
        const guesses = guessTopicStreams(topic, type, fields);
        proposals.push(...guesses.flatMap((guess) => streamLines(topic, type, fields, guess)));
        summary.push(...guesses.map(({ role, columns }) => `${role}: ${topic} ${columns[0]}`));
      }
      break;
    }
    if (proposals.length === 0) return null;
    const text = [
      '# Gives topics of the recordings in this folder a role. Written by `assay map init` from the first messages.',
      '# Lines with CHECK contain guesses: confirm each one and delete the comment, or delete the stream.',
      'assay_map: 1',
      'streams:',
      ...proposals,
      '',
    ].join('\n');
    const folder = bags.path === '' ? tree.root : `${tree.root}/${bags.path}`;
    const checks = text.split('\n').filter((line) => line.includes('CHECK')).length - 1;
    return { folder, name: mappingFiles[0], text, checks, summary };
  } finally {
    for (const { dataset } of datasets) await dataset.close();
  }
}

const maxListedFields = 20;

function streamLines(
  topic: string,
  type: string,
  fields: readonly TopicField[],
  { suffix, role, unit, columns, because }: TopicStreamGuess,
): string[] {
  const others = fields.flatMap(({ path }) => (columns.includes(path) ? [] : [path]));
  const listed = others.slice(0, maxListedFields).join(', ');
  const more = others.length === 0 ? '' : `; other fields: ${printable(listed)}`;
  const lists = columns.some((path) => path.includes('['))
    ? '[0] is the first element of a list, [-1] the last, [*] all'
    : 'the fields of this signal';
  return [
    `  - id: ${JSON.stringify(suffix === '' ? topic : `${topic}.${suffix}`)}`,
    `    topic: ${JSON.stringify(topic)}`,
    `    role: ${role}  # CHECK: action for commands, state for measurements, or delete the stream (${printable(because)}; ${printable(type)})`,
    `    columns: [${columns.map((path) => JSON.stringify(path)).join(', ')}]  # CHECK: ${lists}${more}`,
    unit === null
      ? '    # unit: …  # CHECK: rad, deg, m, …; if omitted, the unit is unknown'
      : `    unit: ${JSON.stringify(unit)}  # CHECK: the unit, guessed from the names of the fields`,
  ];
}

const printable = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]/gu, ' ').slice(0, 400);
