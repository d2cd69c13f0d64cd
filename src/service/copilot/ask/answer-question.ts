import { codeTitle, requirementTitle, targetTitle } from '#core/titles';
import type { AnswerFacts, QuestionShape, Sentence } from './answer-facts.ts';
import { count, toSentence, toWords } from './answer-facts.ts';

const maxListedFaults = 5;

/** Question on what blocks readiness. */
const blocksReadiness: QuestionShape = {
  id: 'blocks_readiness',
  example: 'What blocks readiness?',
  words:
    /\b(blocks?|blocked|blocking|blockers?|readiness|ready|wrong|problems?|rejected|fail(s|ed|ing)?)\b/gi,
  answer: async (grounds) => [
    targetVerdict(grounds),
    ...openRequirements(grounds, 'required'),
    ...describeFaults(grounds),
    ...describeRejected(grounds),
  ],
};

function describeFaults(grounds: AnswerFacts): readonly Sentence[] {
  return grounds.faults.slice(0, maxListedFaults).map(({ code, severity, advice, at }) => ({
    text: `Dataset finding: ${codeTitle(code)} (${severity}). ${toSentence(advice)}`,
    evidence: { finding: code, severity, ...at },
  }));
}

function describeRejected({
  of,
  episodes,
  decisions: { reject },
  flags: [flag],
}: AnswerFacts): readonly Sentence[] {
  const evidence = { ...of, rejected: reject, episodes };
  if (episodes === 0) return [];
  if (reject === 0) return [{ text: `None of the ${count(episodes, 'episode')} is rejected.`, evidence }];
  const of_all = `${reject} of ${count(episodes, 'episode')} ${reject === 1 ? 'is' : 'are'} rejected`;
  if (flag === undefined) return [{ text: `${of_all}.`, evidence }];
  return [
    {
      text: `${of_all}; the most frequent flag is ${codeTitle(flag.value)} (${count(flag.episodes, 'episode')}).`,
      evidence: { ...evidence, flag: flag.value, flagged: flag.episodes },
    },
  ];
}

const maxListedEpisodes = 5;

const lookAtFirst: QuestionShape = {
  id: 'look_at_first',
  example: 'Which episodes should I look at first?',
  words: /\b(which|episodes?|first|worst|look|review|inspect|start with)\b/gi,
  answer: async ({ of, worst }) => {
    if (worst.length === 0)
      return [{ text: 'There are no episodes to look at.', evidence: { ...of, episodes: 0 } }];
    return worst.slice(0, maxListedEpisodes).map(({ id, name, score, decision, flags }) => ({
      text: `Look at ${name}: ${decision}, ${score === null ? 'not scored' : `score ${score}`}${flags.length === 0 ? '' : `, flags ${flags.map(codeTitle).join(', ')}`}.`,
      evidence: { episode_id: id, episode: name, score, decision, flags: flags.join(' ') },
    }));
  },
};

const missingForTarget: QuestionShape = {
  id: 'missing_for_target',
  example: 'What is missing for this target?',
  words: /\b(missing|lacks?|lacking|needs?|needed|target|requirements?|profile)\b/gi,
  answer: async (grounds) => [
    targetVerdict(grounds),
    ...openRequirements(grounds, 'required'),
    ...openRequirements(grounds, 'helps'),
  ],
};

const whatItCost: QuestionShape = {
  id: 'what_it_cost',
  example: 'What did it cost?',
  words: /\b(costs?|spent|spend|money|price|usd|budget|dollars?|paid)\b/gi,
  answer: ({ whatItCost }) => whatItCost(),
};

const whatChanged: QuestionShape = {
  id: 'what_changed',
  example: 'What changed since the last run?',
  words: /\b(changed?|changes|since|new|newest|latest|last run|happened)\b/gi,
  answer: ({ whatChanged }) => whatChanged(),
};

/** Answer to a question. */
export interface Answer {
  /** Id of the recognised question shape; null if none matches and an overview is given. */
  readonly shape: string | null;
  readonly sentences: readonly Sentence[];
}

/** Questions that are answered without a model. */
export const questionShapes: readonly QuestionShape[] = [
  blocksReadiness,
  missingForTarget,
  lookAtFirst,
  whatChanged,
  whatItCost,
];

/**
 * Answers a question from the given facts alone, without a model; a question of no known shape is answered with an
 * overview and what blocks readiness. Equal facts and question give equal sentences.
 */
export async function answerQuestion(grounds: AnswerFacts, question: string): Promise<Answer> {
  const shape = matchShape(question);
  if (shape !== null) return { shape: shape.id, sentences: await shape.answer(grounds) };
  const blocking = await blocksReadiness.answer(grounds);
  return { shape: null, sentences: [...overview(grounds), ...blocking, ...grounds.next] };
}

/** Returns the shape with the most matching words in the question, the first of equals; null if no word matches. */
function matchShape(question: string): QuestionShape | null {
  const matchCounts = questionShapes.map((shape) => (question.match(shape.words) ?? []).length);
  const bestCount = Math.max(...matchCounts);
  return bestCount === 0 ? null : questionShapes[matchCounts.indexOf(bestCount)];
}

/** Returns a sentence on the number of episodes and their decisions. */
function overview({ name, of, episodes, decisions, median_score }: AnswerFacts): readonly Sentence[] {
  if (episodes === 0) return [{ text: `${name} has no episodes yet.`, evidence: { ...of, episodes } }];
  const { accept, review, reject } = decisions;
  const score = median_score === null ? '' : `; the median score is ${median_score}`;
  return [
    {
      text: `${name} has ${count(episodes, 'episode')}: ${accept} accepted, ${review} to review, ${reject} rejected${score}.`,
      evidence: { ...of, episodes, accept, review, reject, median_score },
    },
  ];
}

/** Returns a sentence on whether the data suits its target. */
function targetVerdict({ of, target }: AnswerFacts): Sentence {
  if ('text' in target) return target;
  const { target_profile, verdict, requirements } = target;
  const met = requirements.filter(({ status }) => status === 'met').length;
  return {
    text: `Readiness for ${targetTitle(target_profile)}: ${toWords(verdict)}. ${met} of ${count(requirements.length, 'requirement')} met.`,
    evidence: { ...of, target_profile, verdict, met, requirements: requirements.length },
  };
}

/** Returns a sentence for each requirement of a level that is not met or could not be assessed. */
function openRequirements({ target }: AnswerFacts, level: 'required' | 'helps'): readonly Sentence[] {
  if ('text' in target) return [];
  return target.requirements
    .filter((row) => row.level === level && row.status !== 'met')
    .map(({ id, status, reason }) => ({
      text: `${level === 'required' ? 'Required' : 'Recommended'}: ${requirementTitle(id)} is ${toWords(status)}. ${toSentence(reason)}`,
      evidence: { target_profile: target.target_profile, requirement: id, status, reason },
    }));
}
