const verbs: Readonly<Record<string, string>> = {
  are: 'is',
  belong: 'belongs',
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

const behind: readonly (readonly [RegExp, string])[] = [
  [/\beach of them\b/, 'it'],
  [/\btheir\b/, 'its'],
  [/\bthem\b/, 'it'],
  [/\bthey are shares\b/, 'it is a share'],
  [/\bthey decode\b/, 'it decodes'],
];

/** What is said of several, said of one: `boxes reach outside of their image` → `box reaches outside of its image`. */
export function oneOf(several: string): string {
  const words = several.split(' ');
  const verb = words.findIndex((word) => Object.hasOwn(verbs, word));
  const noun = words.findIndex((word) => /s$/.test(word));
  if (noun < 0) return several;
  words[noun] = singular(words[noun]);
  if (verb > noun) words[verb] = verbs[words[verb]];
  const end = Math.max(verb, noun) + 1;
  const rest = behind.reduce((text, [from, to]) => text.replace(from, to), words.slice(end).join(' '));
  return [...words.slice(0, end), rest].join(' ');
}

function singular(noun: string): string {
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`;
  return noun.endsWith('xes') ? noun.slice(0, -2) : noun.slice(0, -1);
}
