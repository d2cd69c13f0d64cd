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

/** What came of a task. */
interface Seen {
  readonly events: readonly ChatEvent[];
  readonly text: string;
  /** What waited for a yes, by tool. */
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
  /** What the person answers where a yes is asked for; absent: nothing. */
  readonly agrees?: boolean;
  /** What a model that works well calls, one a round. */
  readonly uses: (world: World) => readonly ScriptedUse[];
  /** Read before the task, and given to `holds`. */
  readonly before?: (world: World) => Promise<unknown>;
  readonly holds: (world: World, seen: Seen, before: unknown) => Promise<boolean> | boolean;
}
