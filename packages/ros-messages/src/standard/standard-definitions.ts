import { plainTypeName } from '../type-tree.ts';
import { controlTypes } from './control.ts';
import { rosCore } from './ros-core.ts';
import { sensingTypes } from './sensing.ts';
import { valueTypes } from './values.ts';

/**
 * Message definitions that come with ROS 2, for recordings that hold none (rosbag2 kept none in SQLite before Iron).
 * A line is a type and its fields, without constants; where a release changed it, `since` starts another line. Taken
 * from the releases' .msg files as rosbags 0.11.9 carries them (Apache-2.0); test/interop/rosbag2.test.ts compares them.
 */
const releases: readonly string[] = [
  'dashing',
  'eloquent',
  'foxy',
  'galactic',
  'humble',
  'iron',
  'jazzy',
  'kilted',
  'lyrical',
];

interface Layout {
  /** Index of the first release that has it. */
  readonly since: number;
  readonly fields: readonly string[];
}

let table: ReadonlyMap<string, readonly Layout[]> | null = null;

/**
 * Every definition that a type ever had, newest first, each with all it builds on as one text (`MSG: package/Type`).
 * Empty: the type is not in the set.
 */
export function standardDefinitions(typeName: string): readonly string[] {
  table ??= readTable([valueTypes, sensingTypes, controlTypes, rosCore].join(''));
  const type = plainTypeName(typeName);
  if (!table.has(type)) return [];
  const known = table;
  const texts = releases.map((_, release) => textOf(type, release, known)).reverse();
  return [...new Set(texts)];
}

function readTable(text: string): Map<string, Layout[]> {
  const types = new Map<string, Layout[]>();
  for (const line of text.split('\n')) {
    const match = /^(\S+?)(?: since (\w+))?:(.*)$/.exec(line);
    if (match === null) continue;
    const [, type, since, fields] = match;
    const layout = {
      since: Math.max(0, releases.indexOf(since)),
      fields: fields.split(';').map((field) => field.trim()),
    };
    types.set(type, [...(types.get(type) ?? []), layout]);
  }
  return types;
}

function textOf(root: string, release: number, types: ReadonlyMap<string, readonly Layout[]>): string {
  const sections = new Map<string, readonly string[]>();
  const pending = [root];
  for (let type = pending.pop(); type !== undefined; type = pending.pop()) {
    const layouts = types.get(type);
    if (layouts === undefined || sections.has(type)) continue;
    const { fields } = layouts.findLast(({ since }) => since <= release) ?? layouts[0];
    sections.set(type, fields);
    pending.push(...fields.map((field) => field.replace(/[ [].*$/, '')));
  }
  const [first, ...rest] = sections;
  return [
    first[1].join('\n'),
    ...rest.map(([type, fields]) => `===\nMSG: ${type}\n${fields.join('\n')}`),
  ].join('\n');
}
