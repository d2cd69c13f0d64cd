import { splitWords } from '../../checks/shared/instruction-text.ts';
import { areRelated, type Concept, closedThings, findConcepts, listStems } from './instruction-lexicon.ts';

/**
 * Relation of two instructions:
 * - `same`: paraphrases of one task
 * - `other_motion`: another act, destination, source, direction or order of arguments, so that the robot moves
 *   differently
 * - `other_object`: the same act on something else (colour, number, size or object), which may move the robot alike
 * - `unclear`: neither follows from the words
 */
export type MeaningRelation = 'same' | 'unclear' | 'other_object' | 'other_motion';

type Role = 'act' | 'object' | 'target' | 'source' | 'tool';

/** Concepts of an instruction by the part they play in it. */
export interface Meaning {
  /** Equal for paraphrases and for nothing else. */
  readonly key: string;
  readonly roles: Readonly<Record<Role, readonly Concept[]>>;
}

const roles: readonly Role[] = ['act', 'object', 'target', 'source', 'tool'];
const maxWords = 80;

/** Phrases of several words and the words that replace them. */
const phrases: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\b(?:can|could|would|will) you\b|\bhand side\b|\b(?:left|right) over\b|\bin order\b/g, ' '],
  [/\b(?:do not|don t|does not)\b/g, ' not '],
  [/\bpick (?:and place|up and place|n place)\b/g, ' put '],
  [/\b(knock|tip)(?:s|ed|ing)? over\b/g, ' $1 '],
  [/\bt shirt\b/g, ' tshirt '],
  [/\b(?:turn|switch|power)(?:s|ed|ing)? on\b/g, ' turnon '],
  [/\b(?:turn|switch|power)(?:s|ed|ing)? off\b/g, ' turnoff '],
  [/\b(?:turn|switch) ((?:\w+ ){1,4})on$/g, ' turnon $1'],
  [/\b(?:turn|switch) ((?:\w+ ){1,4})off$/g, ' turnoff $1'],
  [/\b(?:close|next|adjacent) to\b|\bby the side of\b/g, ' near '],
  [/\bin front of\b|\bahead of\b/g, ' infront '],
  [/\bin between\b/g, ' between '],
  [/\b(?:on|to|at|onto) (?:the )?top of\b|\b(?:atop|upon)\b/g, ' on '],
  [/\b(?:out of|off of|away from|out from)\b/g, ' from '],
  [/\b(?:throw|toss|put) ((?:\w+ ){0,4}?)away\b/g, ' throw $1 '],
  [/\b(?:clean|tidy) up\b/g, ' wipe '],
  [/\bhand (?:it|them|over)\b/g, ' handover '],
];

const fillers = new Set(
  'a an the please robot arm gripper hand it its them this that these those your my his her s is are be being was and then now so up of side there here where which located placed lying sitting carefully slowly gently care just also finally afterwards again you to'.split(
    ' ',
  ),
);
const determiners = new Set('a an the its this that these those of your my one two both'.split(' '));
const rolePrepositions: Readonly<Record<string, Role>> = {
  in: 'target',
  into: 'target',
  inside: 'target',
  on: 'target',
  onto: 'target',
  to: 'target',
  towards: 'target',
  toward: 'target',
  at: 'target',
  under: 'target',
  beneath: 'target',
  below: 'target',
  underneath: 'target',
  behind: 'target',
  infront: 'target',
  near: 'target',
  beside: 'target',
  alongside: 'target',
  between: 'target',
  around: 'target',
  through: 'target',
  over: 'target',
  above: 'target',
  across: 'target',
  against: 'target',
  from: 'source',
  off: 'source',
  with: 'tool',
  use: 'tool',
  using: 'tool',
  by: 'tool',
};
const directional = new Set(['to', 'toward', 'towards', 'into', 'onto']);
/** Acts that carry something to a place. */
const carrying = new Set('put push pull stack hang give throw sort pour reach handover load'.split(' '));
const placeKinds = new Set(['side', 'level', 'depth', 'middle']);

interface Segment {
  readonly preposition: string;
  role: Role;
  readonly concepts: Concept[];
}
interface Clause {
  act: string | null;
  readonly segments: Segment[];
}

const meaningByText = new Map<string, Meaning>();
const maxCachedTexts = 512;

/**
 * Returns the acts, things and properties that an instruction names in English, cached by text; words of other
 * languages are not known.
 */
export function readMeaning(text: string): Meaning {
  let meaning = meaningByText.get(text);
  if (meaning === undefined) {
    if (meaningByText.size === maxCachedTexts) meaningByText.clear();
    meaning = computeMeaning(text);
    meaningByText.set(text, meaning);
  }
  return meaning;
}

function computeMeaning(text: string): Meaning {
  let plain = splitWords(text).join(' ');
  for (const [pattern, replacement] of phrases) plain = plain.replace(pattern, replacement);
  const words = plain.split(' ').filter((word) => word !== '');
  const clauses = splitClauses(words.slice(0, maxWords));
  const found: Record<Role, Map<string, Concept>> = {
    act: new Map(),
    object: new Map(),
    target: new Map(),
    source: new Map(),
    tool: new Map(),
  };
  const add = (role: Role, concept: Concept) => found[role].set(`${concept.kind}:${concept.id}`, concept);
  for (const clause of clauses) {
    assignRoles(clause);
    if (clause.act !== null) add('act', { kind: 'verb', id: clause.act });
    for (const { role, concepts } of clause.segments)
      for (const concept of concepts) add(concept.kind === 'negation' ? 'act' : role, concept);
  }
  if ([...carrying].some((act) => found.act.has(`verb:${act}`))) found.act.delete('verb:pick');
  dropDefaults(found);
  // A long text is compared as far as it was read, and is the same as no other.
  const rest = words.length > maxWords ? [words.slice(maxWords).join(' ')] : [];
  const order = words.includes('then') || words.includes('before') || words.includes('after');
  const key = JSON.stringify([
    ...roles.map((role) =>
      order && role === 'object' ? [...found[role].keys()] : [...found[role].keys()].sort(),
    ),
    ...rest,
  ]);
  return {
    key,
    roles: {
      act: [...found.act.values()],
      object: [...found.object.values()],
      target: [...found.target.values()],
      source: [...found.source.values()],
      tool: [...found.tool.values()],
    },
  };
}

/** Drops what an instruction may name or leave out without a difference. */
function dropDefaults({ object, target, source }: Record<Role, Map<string, Concept>>): void {
  for (const concepts of [object, source]) for (const id of ['on', 'at']) concepts.delete(`relation:${id}`);
  source.delete('thing:table');
  if ([...target.values()].some(({ id }) => closedThings.has(id)) || !target.delete('relation:on')) return;
  target.set('relation:at', { kind: 'relation', id: 'at' });
}

function splitClauses(words: readonly string[]): Clause[] {
  const clauses: Clause[] = [];
  let clause: Clause = { act: null, segments: [] };
  const begin = (act: string | null) => {
    clause = { act, segments: [{ preposition: '', role: 'object', concepts: [] }] };
    clauses.push(clause);
  };
  begin(null);
  let lastVerb = '';
  words.forEach((word, i) => {
    const previous = words[i - 1] ?? '';
    const verb = findVerb(word, previous);
    if (verb !== null) {
      const leading =
        clause.act === null ? clause.segments.filter(({ concepts }) => concepts.length > 0) : [];
      begin(verb);
      clause.segments.unshift(...leading);
      lastVerb = word;
      return;
    }
    const role = rolePrepositions[word];
    if (role !== undefined) {
      clause.segments.push({ preposition: word, role, concepts: [] });
      return;
    }
    if (fillers.has(word) || (word === 'down' && /^(?:put|plac|set|lay|wip|fold)/.test(lastVerb))) return;
    clause.segments[clause.segments.length - 1].concepts.push(chooseConcept(word, words[i + 1]));
  });
  return clauses;
}

/** Returns the id of the verb that a word is, `null` if it is none here: *the stack*, *red cover*. */
function findVerb(word: string, previous: string): string | null {
  const verb = findConcepts(word).find(({ kind }) => kind === 'verb');
  if (verb === undefined || determiners.has(previous)) return null;
  const before = previous === '' ? [] : findConcepts(previous);
  const attributive = before.some(({ kind }) => kind !== 'verb' && kind !== 'thing' && kind !== 'negation');
  if (attributive) return null;
  const isAdjective = word === 'open' || word === 'closed' || word === 'lower' || word === 'clean';
  return isAdjective && before.some(({ kind }) => kind === 'verb') ? null : verb.id;
}

function chooseConcept(word: string, next: string | undefined): Concept {
  const options = findConcepts(word).filter(({ kind }) => kind !== 'verb');
  const stem = listStems(word).at(-1)!;
  if (options.length === 0) return { kind: 'word', id: stem };
  if (options.length === 1) return options[0];
  const beforeThing = next !== undefined && findConcepts(next).some(({ kind }) => kind !== 'verb');
  const attributive = options.find(({ kind }) => kind === 'colour' || kind === 'number');
  const other = options.find(({ kind }) => kind === 'thing' || kind === 'generic');
  return (beforeThing ? attributive : other) ?? options[0];
}

/** Decides what each segment of a clause is to its act. */
function assignRoles(clause: Clause): void {
  const { segments, act } = clause;
  const goesTo = segments.some(
    (segment) => directional.has(segment.preposition) && segment.role === 'target' && act === 'pick',
  );
  if (goesTo) clause.act = 'put';
  else if (act === 'remove' && segments.some(({ role }) => role === 'source')) clause.act = 'pick';
  const carries = clause.act === null || carrying.has(clause.act);
  const isBare = ({ concepts, preposition }: Segment) =>
    preposition !== '' && concepts.length > 0 && concepts.every(({ kind }) => placeKinds.has(kind));
  const hasTarget = segments.some((segment) => segment.role === 'target' && !isBare(segment));
  segments.forEach((segment, i) => {
    const previous = segments[i - 1];
    if (segment.role === 'target' && !isBare(segment) && !carries)
      segment.role = clause.act === 'pick' || clause.act === 'remove' ? 'source' : 'object';
    else if (segment.role === 'target' && goesTo && !directional.has(segment.preposition))
      segment.role = 'source';
    else if (segment.role === 'target' && isBare(segment) && previous !== undefined) {
      const toPlace = directional.has(segment.preposition) || (carries && !hasTarget);
      if (!(toPlace && previous.role === 'object')) segment.role = previous.role;
    }
  });
  for (const { preposition, concepts, role } of segments) {
    if (role === 'tool' || role === 'source' || concepts.length === 0 || preposition === '') continue;
    const relation = findConcepts(preposition).find(({ kind }) => kind === 'relation');
    const isPlace = concepts.every(({ kind }) => placeKinds.has(kind));
    if (relation !== undefined || !isPlace) concepts.push(relation ?? { kind: 'relation', id: 'at' });
  }
}

/**
 * Compares two instructions by their words and returns whether they ask for the `same`, for an `other_motion` or an
 * `other_object`, or `unclear`.
 */
export function compareMeanings(one: Meaning, other: Meaning): MeaningRelation {
  if (one.key === other.key) return 'same';
  if (hasNegation(one) !== hasNegation(other) || areArgumentsSwapped(one, other)) return 'other_motion';
  let relation: MeaningRelation = 'unclear';
  for (const role of roles) {
    for (const kind of findContradictions(one.roles[role], other.roles[role])) {
      if (role === 'act' || placeKinds.has(kind) || kind === 'relation') return 'other_motion';
      if ((role === 'target' || role === 'source') && kind === 'thing') return 'other_motion';
      relation = 'other_object';
    }
  }
  return relation;
}

/** Returns `true` if two instructions have a concept in common: an act, a thing or a property. */
export function haveCommonConcept(one: Meaning, other: Meaning): boolean {
  const all = new Set(roles.flatMap((role) => one.roles[role].map(({ kind, id }) => `${kind}:${id}`)));
  return roles.some((role) => other.roles[role].some(({ kind, id }) => all.has(`${kind}:${id}`)));
}

const hasNegation = ({ roles: { act } }: Meaning): boolean => act.some(({ kind }) => kind === 'negation');

/** Lists the kinds of which each side names concepts that cannot be those of the other side. */
function findContradictions(one: readonly Concept[], other: readonly Concept[]): Concept['kind'][] {
  const onlyOne = subtract(one, other);
  const onlyOther = subtract(other, one);
  const kinds = new Set(onlyOne.map(({ kind }) => kind));
  const hasMiddle = (concepts: readonly Concept[]) => concepts.some(({ kind }) => kind === 'middle');
  const hasEnd = (concepts: readonly Concept[]) =>
    concepts.some(({ kind }) => kind !== 'middle' && placeKinds.has(kind));
  if ((hasMiddle(onlyOne) && hasEnd(onlyOther)) || (hasEnd(onlyOne) && hasMiddle(onlyOther)))
    return ['middle'];
  return [...kinds].filter((kind) => {
    if (kind === 'word' || kind === 'generic' || kind === 'negation') return false;
    const a = onlyOne.filter((concept) => concept.kind === kind);
    const b = onlyOther.filter((concept) => concept.kind === kind);
    return b.length > 0 && a.every((x) => b.every((y) => !areRelated(x, y)));
  });
}

function subtract(from: readonly Concept[], taken: readonly Concept[]): Concept[] {
  return from.filter(({ kind, id }) => !taken.some((concept) => concept.kind === kind && concept.id === id));
}

/** `true` if two concepts play each other's part: *from the bowl to the plate*, *from the plate to the bowl*. */
function areArgumentsSwapped({ roles: one }: Meaning, { roles: other }: Meaning): boolean {
  const parts = ['object', 'target', 'source'] as const;
  return parts.some((first, i) =>
    parts.slice(i + 1).some((second) => {
      const gone = subtract(subtract(one[first], other[first]), one[second]);
      const come = subtract(subtract(one[second], other[second]), one[first]);
      return (
        gone.some((concept) => isIn(concept, other[second])) &&
        come.some((concept) => isIn(concept, other[first]))
      );
    }),
  );
}

const isIn = (concept: Concept, list: readonly Concept[]): boolean => subtract([concept], list).length === 0;
