import type { Outcome, TaskText } from '#core/episode';

/** Key-value metadata of a container. */
export interface RecordingMetadata {
  /** Location, such as `metadata record assay`. */
  readonly source: string;
  readonly values: ReadonlyMap<string, string>;
}

/** Task, robot and outcome from the metadata of a recording. */
export interface RecordingFacts {
  /** `null` if no task key is present. */
  readonly tasks: readonly TaskText[] | null;
  readonly robot: string | null;
  readonly outcome: Outcome | null;
}

const taskKeys = [
  'task',
  'instruction',
  'language_instruction',
  'task_description',
  'current_task',
  'prompt',
];
const robotKeys = ['robot', 'robot_type', 'robot_name', 'robot_model'];
const outcomeKeys = ['outcome', 'success', 'is_success', 'task_success'];

/**
 * Returns tasks, robot and outcome from the keys that recorders commonly use, each `null` if no such key is present;
 * the first robot and outcome count.
 */
export function extractFacts(metadata: readonly RecordingMetadata[]): RecordingFacts {
  const tasks: TaskText[] = [];
  let carriesTask = false;
  let robot: string | null = null;
  let outcome: Outcome | null = null;
  for (const { source, values } of metadata) {
    for (const key of taskKeys) {
      const text = values.get(key);
      if (text === undefined) continue;
      carriesTask = true;
      if (!tasks.some((task) => task.text === text)) tasks.push({ text, source: `${source}, ${key}` });
    }
    robot ??=
      robotKeys.map((key) => values.get(key)).find((name) => name !== undefined && name !== '') ?? null;
    for (const key of outcomeKeys) {
      const label = values.get(key);
      if (outcome === null && label !== undefined && label !== '')
        outcome = parseOutcome(label, `${source}, ${key}`);
    }
  }
  return { tasks: carriesTask ? tasks : null, robot, outcome };
}

const succeeded = /^(success|succeeded|successful|true|1|1\.0|pass|passed|yes|done)$/i;
const failed = /^(failure|failed|fail|unsuccessful|false|0|0\.0|no|aborted)$/i;

/** Parses an outcome label: success or failure words; anything else is `unknown`. `source` is named in the reason. */
export function parseOutcome(label: string, source: string): Outcome {
  const word = label.trim();
  const reason = `${source} is ${JSON.stringify(word.slice(0, 80))}`;
  if (succeeded.test(word)) return { value: 'success', evidence: 'declared', reason };
  if (failed.test(word)) return { value: 'failure', evidence: 'declared', reason };
  return { value: 'unknown', evidence: 'unknown', reason };
}
