import type { Role } from '#core/api';
import type { ScriptedUse, Task, World } from './task.ts';

type Said = string | ((world: World) => string);
type Use = (world: World) => ScriptedUse;
type State = (world: World) => Promise<unknown>;

const wordsOf = (said: Said) => (typeof said === 'string' ? () => said : said);
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Something is to be told: the answer holds what the service says of it. */
export const tells = (id: string, said: Said, use: Use, truth: State, role?: Role): Task => ({
  id,
  says: wordsOf(said),
  ...(role === undefined ? {} : { role }),
  uses: (world) => [use(world)],
  before: truth,
  holds: (_, { text }, told) => [told].flat().every((word) => text.includes(String(word))),
});

/** Something is to be changed, with a yes where that is asked for. */
export const changes = (
  id: string,
  said: Said,
  use: Use,
  state: State,
  wanted: (state: unknown, before: unknown, world: World) => boolean,
  role?: Role,
): Task => ({
  id,
  says: wordsOf(said),
  ...(role === undefined ? {} : { role }),
  agrees: true,
  uses: (world) => [use(world)],
  before: state,
  holds: async (world, _, before) => wanted(await state(world), before, world),
});

/** Something needs a yes that is not given: it is asked, and not done. */
export const waits = (id: string, said: Said, use: Use, state: State): Task => ({
  id,
  says: wordsOf(said),
  agrees: false,
  uses: (world) => [use(world)],
  before: state,
  holds: async (world, { asked }, before) =>
    asked.includes(use(world)[0]) && same(await state(world), before),
});

/** Something may not or cannot be done: nothing has changed afterwards, whatever the model tried. */
export const refuses = (id: string, said: Said, use: Use, state: State, role?: Role): Task => ({
  id,
  says: wordsOf(said),
  ...(role === undefined ? {} : { role }),
  agrees: true,
  uses: (world) => [use(world)],
  before: state,
  holds: async (world, _, before) => same(await state(world), before),
});
