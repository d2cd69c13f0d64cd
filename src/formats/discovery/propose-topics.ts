import type { Stream } from '#core/episode';
import { openSourceTree, type RecordingsSource } from '#io/sources';
import { mappingFiles } from '../mapped/mapping-files.ts';
import type { MappingProposal } from '../mapped/propose/index.ts';
import { numericRole } from '../shared/messages/topic-roles.ts';
import { discover } from './discover.ts';
import { topicFormats } from './topic-mapping.ts';

/** A topic of a recording, with the numeric fields of its messages. */
interface TopicFacts {
  readonly type: string;
  readonly fields: readonly string[];
}

/** Roles that are read without a mapping; other topics are proposed. */
const isUnmapped = ({ role, modality }: Stream): boolean =>
  role === 'other' && (modality === 'numeric' || modality === 'opaque');

/**
 * Proposes roles for the topics of MCAP files and bags that have none, by the beginning of the first recording; `null` if
 * the folder holds no such recordings, or all topics have a role.
 */
export async function proposeTopics(source: RecordingsSource): Promise<MappingProposal | null> {
  const tree = await openSourceTree(source);
  const { datasets } = await discover(source);
  try {
    const bags = datasets.find(({ dataset }) => topicFormats.has(dataset.facts.format));
    const [unit] = bags?.dataset.units ?? [];
    if (bags === undefined || unit === undefined) return null;
    const topics = new Map<string, TopicFacts>();
    const observe = (topic: string, type: string, fields: readonly string[]) => {
      if (fields.length > 0) topics.set(topic, { type, fields });
    };
    const probe = { path: mappingFiles[0], streams: [], observe };
    const proposals: string[] = [];
    const summary: string[] = [];
    for await (const item of bags.dataset.read(unit, { look: true, hashes: false, topics: probe })) {
      if ('unreadable' in item) break;
      for (const [topic, facts] of topics) {
        const own = item.streams.filter(({ id }) => id === topic || id.startsWith(`${topic}.`));
        if (own.length > 0 && !own.every(isUnmapped)) continue;
        const [role, field] = guess(topic, facts);
        proposals.push(...streamLines(topic, facts, role, field));
        summary.push(`${role}: ${topic} ${field}`);
      }
      break;
    }
    if (proposals.length === 0) return null;
    const text = [
      '# Gives topics of the recordings in this folder a role. Written by `assay map init` from the first messages.',
      '# Lines with CHECK contain guesses: confirm each one and delete the mark, or delete the stream.',
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

const signalField = /(^|[.\]])(positions?|q|qpos|joints?|joint_\w+|angles?|pose|data|values?)$/i;

/** Returns the likely role of a topic, and the field that is most likely its signal. */
function guess(topic: string, { type, fields }: TopicFacts): [role: string, field: string] {
  const field = fields.find((name) => signalField.test(name)) ?? fields[0];
  return [numericRole(topic, type), field];
}

const maxListedFields = 20;

function streamLines(topic: string, { type, fields }: TopicFacts, role: string, field: string): string[] {
  const others = fields.filter((name) => name !== field).slice(0, maxListedFields);
  const more = others.length === 0 ? '' : `; other fields: ${printable(others.join(', '))}`;
  return [
    `  - id: ${JSON.stringify(topic)}`,
    `    topic: ${JSON.stringify(topic)}`,
    `    role: ${role}  # CHECK: action for commands, state for measurements, or delete the stream (${printable(type)})`,
    `    columns: [${JSON.stringify(field)}]  # CHECK: [0] is the first element of a list, [-1] the last, [*] all${more}`,
    '    # unit: …  # CHECK: rad, deg, m, …; if omitted, the unit is unknown',
  ];
}

const printable = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]/gu, ' ').slice(0, 400);
