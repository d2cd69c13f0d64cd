import type { JsonObject } from '#core';
import type { ChatEvent, Role, ToolEnvelope } from '#core/api';

/** The service that tasks are done in: one project over generated episodes, asked over HTTP as its admin. */
export interface World {
  readonly project_id: string;
  readonly workspace_id: string;
  readonly source_id: string;
  /** An episode of the project, and one of the exports that have succeeded. */
  readonly episode_id: string;
  readonly export_id: string;
  /** A folder that sources may be made of. */
  readonly recordings: string;
  // biome-ignore lint/suspicious/noExplicitAny: tasks pick a member of an answer
  ask(method: string, path: string, body?: unknown): Promise<any>;
}

/** Result of a task. */
interface Seen {
  readonly events: readonly ChatEvent[];
  readonly text: string;
  /** Tools whose calls waited for approval. */
  readonly asked: readonly string[];
  readonly results: readonly ToolEnvelope[];
}

export type ScriptedUse = readonly [tool: string, input: JsonObject];

/** Something that a person wants, in plain words, with an end that can be checked. */
export interface Task {
  readonly id: string;
  readonly says: (world: World) => string;
  /** Who asks; absent: an admin. */
  readonly role?: Role;
  /** The user's answer to approval requests. If absent, the user does not answer. */
  readonly agrees?: boolean;
  /** Tool calls of a correct model, one per round. */
  readonly uses: (world: World) => readonly ScriptedUse[];
  /** Read before the task, and given to `holds`. */
  readonly before?: (world: World) => Promise<unknown>;
  readonly holds: (world: World, seen: Seen, before: unknown) => Promise<boolean> | boolean;
}
