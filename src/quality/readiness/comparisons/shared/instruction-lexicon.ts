/**
 * Words of manipulation instructions. A row is one kind of words: concepts are separated by `|`, words that mean
 * the same by spaces, and the first word of a concept is its id. Words that are not listed are compared by their
 * stem alone.
 */
const concepts = {
  verb: `put place set lay deposit drop move transfer relocate bring insert position stow return deliver
    | pick grasp grab take lift fetch raise get collect retrieve pickup hold | remove extract detach withdraw
    | open | close shut | push shove nudge slide | pull drag tug | press click | touch poke tap | turnon activate
    | turnoff deactivate | rotate turn twist spin swivel | flip overturn | wipe clean scrub mop sweep brush dust
    | pour empty | stack pile | unstack | fold | unfold unroll | hang | give pass handover | throw toss | stir mix
    | cut slice chop | lock | unlock | screw tighten | unscrew loosen | plug | unplug | cover | uncover | shake
    | knock topple | sort organize organise arrange | lower | zip | unzip | scoop | reach | load | unload
    | assemble | disassemble | align straighten | tie | untie | draw write`,
  thing: `block cube brick | ball sphere | cylinder | triangle prism | star | peg stick rod pole | ring | square
    | tray | bin basket bucket crate | box carton package | container | bowl | plate dish saucer | pot saucepan
    | pan skillet | cup mug | glass tumbler | bottle flask jug | can tin | coke cola pepsi soda | jar | lid cap
    | spoon | fork | knife | spatula | chopstick | whisk ladle | tongs | cloth towel rag napkin | sponge
    | shirt tshirt | sock | shoe | trousers jeans pants | hat | bag pouch sack | backpack | book | paper tissue
    | marker pen pencil crayon | eraser | tape | scissors | screwdriver | hammer | wrench | battery | screw bolt
    | toy | bear teddy | doll | duck | car truck | apple | banana | orange | lemon | pear | peach | strawberry
    | grape | carrot | eggplant aubergine | pepper capsicum | corn | potato | tomato | mushroom | cucumber | onion
    | broccoli | egg | bread toast | sandwich | burger | chip crisp | cheese | butter | milk | juice | soup
    | sauce ketchup | chocolate | pudding | water | tea | coffee | rice | sugar | salt | table desk tabletop
    | counter countertop worktop | shelf | rack stand holder | drawer | cabinet cupboard closet | door | window
    | fridge refrigerator | microwave | oven | stove burner cooktop hob | sink basin | toaster | kettle | dishwasher
    | faucet tap | dishrack | button | switch | knob dial | handle | lever | light lamp | laptop computer | keyboard
    | mouse | monitor screen | phone | remote | cable cord wire rope | hook | nail | hole slot socket | board
    | mat pad | trash garbage rubbish waste | floor ground | bed | chair | sofa couch | wall | edge | corner
    | human person me`,
  generic: 'object item thing stuff one piece part everything',
  colour: `red crimson scarlet | orange | yellow | green | blue | purple violet | pink magenta | brown | black | white
    | gray grey | silver | gold golden | cyan turquoise teal | beige | transparent clear`,
  number: `1 one single first | 2 two second both pair | 3 three third | 4 four fourth | 5 five fifth | 6 six | 7 seven
    | 8 eight | 9 nine | 10 ten | 0 zero | 90 | 180`,
  size: 'big large bigger larger biggest largest tall | small little tiny smaller smallest short',
  side: 'left leftmost lefthand | right rightmost righthand',
  level: 'top upper topmost uppermost up upward | bottom lower bottommost down downward',
  depth: 'front frontmost closest nearest | back rear farthest furthest',
  middle: 'middle center centre central',
  relation: `under beneath below underneath | behind | infront | near beside alongside | between | around | through
    | over above across | against | outside | on | at`,
  negation: 'not never without except avoid dont',
} as const;

/** Kind of a concept; concepts of different kinds do not contradict each other. */
type ConceptKind = keyof typeof concepts;

/**
 * Acts and places, and for each those that may describe the same motion; a difference between these proves
 * nothing.
 */
const neighbours = [
  'put push pull stack hang give throw sort load cover plug align lower remove unload pour screw',
  'pick remove pull unplug reach touch scoop stack unstack give',
  'press push touch knock turnon turnoff',
  'rotate open close turnon turnoff flip screw unscrew press',
  'open pull remove uncover unscrew unlock unzip unfold',
  'close push cover lock screw zip fold',
  'push turnon turnoff stack throw',
  'pull remove unplug unfold',
  'flip fold unfold knock',
  'fold sort',
  'wipe sort',
  'stir pour scoop',
  'near infront behind against between under',
];

/** Things and properties that may be called by each other's name. */
const families = [
  'tray bin box container bowl plate pot pan rack mat board',
  'cup glass container bowl jar pot',
  'bottle can coke jar milk juice water sauce container glass cup',
  'can coke soup box',
  'can trash bin',
  'block box toy cylinder prism square triangle container',
  'peg cylinder toy marker screw ring',
  'ball toy orange',
  'spoon spatula whisk scoop',
  'cloth paper shirt',
  'toy bear doll duck car ball star block',
  'bag backpack container',
  'table counter board mat floor edge corner',
  'shelf rack cabinet drawer table',
  'drawer cabinet door',
  'door cabinet fridge microwave oven handle',
  'stove oven pot pan knob',
  'sink dishrack dishwasher faucet',
  'rack dishrack',
  'button switch knob lever handle light stove',
  'laptop monitor keyboard',
  'hole peg hook nail',
  'pan lid pot',
  'bread sandwich burger toast',
  'cheese butter',
  'water tea coffee',
  'red orange pink brown',
  'pink purple',
  'purple blue',
  'blue cyan green',
  'green yellow',
  'yellow gold orange beige brown',
  'gray silver white black',
  'white transparent beige',
  'at on over near through between around',
];

/** One meaning: `kind:id`, or `word:stem` for words that are not listed. */
export interface Concept {
  readonly kind: ConceptKind | 'word';
  readonly id: string;
}

/** Things with an inside and a top, where *in* and *on* differ. */
export const closedThings: ReadonlySet<string> = new Set(
  'box drawer cabinet fridge microwave oven dishwasher toaster'.split(' '),
);

const conceptByWord = new Map<string, Concept[]>();
for (const [kind, text] of Object.entries(concepts) as [ConceptKind, string][]) {
  for (const group of text.split('|')) {
    const words = group.trim().split(/\s+/);
    const ids = kind === 'generic' ? words : words.map(() => words[0]);
    words.forEach((word, i) => {
      const known = conceptByWord.get(word) ?? [];
      conceptByWord.set(word, [...known, { kind, id: ids[i] }]);
    });
  }
}

const relatedPairs = new Set<string>();
const relate = (one: string, other: string) => relatedPairs.add(`${one} ${other}`).add(`${other} ${one}`);
for (const family of families) {
  const ids = family.split(' ');
  for (const one of ids) for (const other of ids) relate(one, other);
}
for (const row of neighbours) {
  const [act, ...others] = row.split(' ');
  for (const other of others) relate(act, other);
}

/** Returns `true` if two concepts may name the same act or thing. */
export function areRelated(one: Concept, other: Concept): boolean {
  return relatedPairs.has(`${one.id} ${other.id}`);
}

/** Returns the listed concepts of a word or of its stems, an empty list if it is not listed. */
export function findConcepts(word: string): readonly Concept[] {
  for (const stem of listStems(word)) {
    const found = conceptByWord.get(stem);
    if (found !== undefined) return found;
  }
  return [];
}

/**
 * Lists the word itself, then its possible base forms without plural, -ing or -ed, the most likely first. The last
 * one is its stem.
 */
export function listStems(word: string): string[] {
  const stems = [word];
  if (word.length > 4 && word.endsWith('ing')) stems.push(...listVerbStems(word.slice(0, -3)));
  else if (word.length > 4 && word.endsWith('ed')) stems.push(...listVerbStems(word.slice(0, -2)));
  else if (word.length > 4 && word.endsWith('ies')) stems.push(`${word.slice(0, -3)}y`);
  else if (word.length > 3 && /(?:[sxz]|ch|sh|o)es$/.test(word))
    stems.push(word.slice(0, -1), word.slice(0, -2));
  else if (word.length > 3 && word.endsWith('s') && !word.endsWith('ss')) stems.push(word.slice(0, -1));
  return stems;
}

function listVerbStems(stem: string): string[] {
  const single = /([bdgklmnprt])\1$/.test(stem) ? [stem.slice(0, -1)] : [];
  return [`${stem}e`, ...single, stem];
}
