import type { Outcome, TaskText } from '#core/episode';
import { outcomeOf } from './sinks/outcome.ts';

/** Names and values that a container keeps beside its messages. */
export interface RecordingMetadata {
  /** Where they stand: `metadata record assay`. */
  readonly source: string;
  readonly values: ReadonlyMap<string, string>;
}

export interface RecordingFacts {
  /** null: no key that carries a task is there. */
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

/** Reads task, robot and outcome from the keys that recorders commonly use. */
export function factsOf(metadata: readonly RecordingMetadata[]): RecordingFacts {
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
        outcome = outcomeOf(label, `${source}, ${key}`);
    }
  }
  return { tasks: carriesTask ? tasks : null, robot, outcome };
}
