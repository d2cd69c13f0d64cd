import type { Happening } from '../../grammar/happenings.ts';
import type { KnownObjects } from '../../grammar/known-objects.ts';
import { countWords, firstWords, sentence } from '../../grammar/words.ts';
import type { Window } from './windows.ts';

/** What sentences are made of. */
export interface Known {
  /** Its task texts; empty where it has none. */
  readonly tasks: readonly string[];
  readonly happenings: readonly Happening[];
  readonly objects: KnownObjects | null;
}

/** What a text rests on. */
type TextEvidence = 'frames' | 'task' | 'segments' | 'object_labels';

export interface Composed {
  /** Empty where nothing is known of the window. */
  readonly text: string;
  readonly evidence: readonly TextEvidence[];
}

/** Share of a window that something must fill to be told, unless a gripper does it. */
const leastShare = 0.1;
const mostObjects = 4;

/**
 * A sentence for a window, in a fixed order: the task, what happens one after the other, which objects are seen. Longer
 * than `most` words, it loses objects first, then the shortest happenings; a long task is cut.
 */
export function composeCaption(window: Window, known: Known, most: number): Composed {
  const happens = happeningsIn(window, known);
  const seen = objectsIn(window, known.objects);
  const task = firstWords(known.tasks.join('; '), Math.max(3, Math.floor(most / 2)));
  while (seen.length > 0 && countWords(textOf(task, happens, seen)) > most) seen.pop();
  while (happens.length > 1 && countWords(textOf(task, happens, seen)) > most)
    happens.splice(shortestOf(happens), 1);
  const text = firstWords(textOf(task, happens, seen), most);
  const evidence: TextEvidence[] = [];
  if (task !== '') evidence.push('task');
  if (happens.length > 0) evidence.push('segments');
  if (seen.length > 0) evidence.push('object_labels');
  return { text, evidence };
}

interface Told extends Pick<Happening, 'subject' | 'predicate'> {
  readonly lasts_s: number;
}

function happeningsIn({ from_s, to_s }: Window, { happenings }: Known): Told[] {
  const found: Told[] = [];
  for (const { subject, predicate, isEvent, ...own } of happenings) {
    const lasts_s = Math.min(to_s, own.to_s) - Math.max(from_s, own.from_s);
    const begins = own.from_s >= from_s && own.from_s < to_s;
    if (isEvent ? !begins : !(lasts_s > 0 && lasts_s >= leastShare * (to_s - from_s))) continue;
    const last = found.at(-1);
    if (!isEvent && last?.subject === subject && last.predicate === predicate)
      found[found.length - 1] = { ...last, lasts_s: last.lasts_s + lasts_s };
    else found.push({ subject, predicate, lasts_s: isEvent ? to_s - from_s : lasts_s });
  }
  return found;
}

/** Labels seen in a window, the most frequent first. */
function objectsIn({ from_s, to_s }: Window, objects: KnownObjects | null): string[] {
  const counts = new Map<string, number>();
  for (const { time_s, boxes } of objects?.frames ?? [])
    if (time_s >= from_s && (time_s < to_s || from_s === to_s))
      for (const label of new Set(boxes.map((box) => box.label)))
        counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, mostObjects)
    .map(([label]) => label);
}

function textOf(task: string, happens: readonly Told[], seen: readonly string[]): string {
  const happening = happens
    .map(({ subject, predicate }, at) =>
      happens[at - 1]?.subject === subject ? predicate : `${subject} ${predicate}`,
    )
    .join(', then ');
  const view = seen.length > 0 ? `in view: ${seen.join(', ')}` : '';
  const told = [happening, view].filter((part) => part !== '').join('; ');
  return sentence(task !== '' && told !== '' ? `${task.replace(/[.!?]+$/, '')}: ${told}` : `${task}${told}`);
}

function shortestOf(happens: readonly Told[]): number {
  let shortest = 0;
  for (const [at, { lasts_s }] of happens.entries()) if (lasts_s < happens[shortest].lasts_s) shortest = at;
  return shortest;
}
