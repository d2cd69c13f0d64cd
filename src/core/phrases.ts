/** Puts a count before a plural phrase and inflects the phrase to match: `3 boxes reach`, `1 box reaches`, `1 of 3 boxes reaches`. */
export function countPhrase(count: number, several: string, of?: number): string {
  if (count === 1 && (of === undefined || of === 1)) return `1 ${inflect(several, true)}`;
  const all = of === undefined ? `${count}` : `${count} of ${of}`;
  return `${all} ${count === 1 ? inflect(several, false) : several}`;
}

const singularVerbs: Readonly<Record<string, string>> = {
  are: 'is',
  belong: 'belongs',
  carry: 'carries',
  do: 'does',
  end: 'ends',
  give: 'gives',
  have: 'has',
  hold: 'holds',
  lie: 'lies',
  name: 'names',
  occur: 'occurs',
  reach: 'reaches',
  stand: 'stands',
};

const singularPronouns: readonly (readonly [RegExp, string])[] = [
  [/\beach of them\b/, 'it'],
  [/\bno numbers\b/, 'no number'],
  [/\btheir\b/, 'its'],
  [/\bthem\b/, 'it'],
  [/\bthey are shares\b/, 'it is a share'],
  [/\bthey decode\b/, 'it decodes'],
];

/** Turns a plural phrase into the singular. `alone` also turns the noun, which stays plural in `1 of 3 boxes reaches`. */
function inflect(several: string, alone: boolean): string {
  const words = several.split(' ');
  const verb = words.findIndex((word) => Object.hasOwn(singularVerbs, word));
  const noun = words.findIndex((word) => /s$/.test(word));
  if (noun < 0) return several;
  if (alone) words[noun] = singular(words[noun]);
  if (verb > noun) words[verb] = singularVerbs[words[verb]];
  const end = Math.max(verb, noun) + 1;
  const rest = singularPronouns.reduce(
    (text, [from, to]) => text.replace(from, to),
    words.slice(end).join(' '),
  );
  return [...words.slice(0, end), rest].join(' ');
}

function singular(noun: string): string {
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`;
  return noun.endsWith('xes') ? noun.slice(0, -2) : noun.slice(0, -1);
}

/** Joins the first `maxItems` (default 8) items with commas and counts the rest: `a, b, c and 12 more`. */
export function listText(items: readonly (string | number)[], maxItems = 8): string {
  const head = items.slice(0, maxItems).join(', ');
  return items.length > maxItems ? `${head} and ${items.length - maxItems} more` : head;
}

/**
 * Fills `{name}` and `{name:03d}` in a path template and leaves other text unchanged; returns `null` if the template
 * uses a name that `values` lacks. These are the forms of Python's `str.format` that LeRobot uses.
 */
export function fillTemplate(
  template: string,
  values: Readonly<Record<string, string | number>>,
): string | null {
  let known = true;
  const filled = template.replace(
    /\{(\w+)(?::0?(\d*)d)?\}/g,
    (_whole, name: string, width: string | undefined) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined) known = false;
      return String(value ?? '').padStart(width === undefined || width === '' ? 0 : Number(width), '0');
    },
  );
  return known ? filled : null;
}
