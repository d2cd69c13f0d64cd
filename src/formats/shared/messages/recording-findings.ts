import type { Finding } from '#core/episode';
import type { FindingList } from '../finding-list.ts';

/** Numbers and stamps of an open episode, bytes; past this it is closed and the recording goes on in another. */
export const heldLimit = 48 * 1024 * 1024;

/** Said of each episode that is a part of a recording. */
export function splitFinding(path: string, part: number): Finding {
  return {
    code: 'recording_split',
    severity: 'info',
    path,
    message: `the recording is too long to be held at once; this is part ${part}, judged on its own`,
    advice: 'nothing to do; to judge whole episodes, record each into a file of its own',
  };
}

/** Said of a recording that could be read and is empty. */
export function noMessages(path: string): Finding {
  return {
    code: 'no_messages',
    severity: 'warning',
    path,
    message: 'the recording holds no message',
    advice: 'take the file out, or find out why nothing was recorded',
  };
}

/** Reports a message whose topic is one more than a recording keeps apart. */
export function leftOutTopic(findings: FindingList, topic: string): void {
  findings.report(
    'too_many_topics',
    'error',
    `${topic.slice(0, 200)} was left out: the recording has too many topics`,
    'record fewer topics into one file',
  );
}

/** Said of topics whose messages were read by a definition that comes with ROS 2, not with the recording. */
export function builtInDefinitions(path: string, topics: readonly TopicRead[]): Finding[] {
  const absent = topics.flatMap(({ topic, builtIn }) =>
    builtIn?.why === 'absent' ? [[topic, builtIn.type]] : [],
  );
  const misfit = topics.flatMap(({ topic, builtIn }) =>
    builtIn?.why === 'misfit' ? [[topic, builtIn.type]] : [],
  );
  const findings: Finding[] = [];
  if (absent.length > 0) {
    findings.push({
      code: 'definition_builtin',
      severity: 'info',
      path,
      message: `the recording holds no message definitions for ${inWords(absent)}: those that come with ROS 2 were used`,
      advice:
        'nothing to do; if these packages were changed, convert the bag where they are installed (ros2 bag convert)',
      evidence: { types: [...new Set(absent.map(([, type]) => type))].slice(0, 64) },
    });
  }
  if (misfit.length > 0) {
    findings.push({
      code: 'definition_misfit',
      severity: 'warning',
      path,
      message: `the recording's message definitions for ${inWords(misfit)} do not fit the messages; those that come with ROS 2 do and were used`,
      advice: 'convert the bag again where the right packages are installed (ros2 bag convert)',
      evidence: { types: [...new Set(misfit.map(([, type]) => type))].slice(0, 64) },
    });
  }
  return findings;
}

interface TopicRead {
  readonly topic: string;
  readonly builtIn: { readonly type: string; readonly why: 'absent' | 'misfit' } | null;
}

function inWords(read: readonly (readonly string[])[]): string {
  const [[topic, type]] = read;
  return read.length === 1 ? `${topic} (${type})` : `${read.length} topics, ${topic} (${type}) among them`;
}
