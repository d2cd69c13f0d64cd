import { getCosts } from '#services';
import { type Asked, count, type QuestionShape, type Sentence } from './sentence.ts';

const mostNamed = 5;

/** The questions that are answered without a model. */
export const questionShapes: readonly QuestionShape[] = [
  {
    id: 'blocks_readiness',
    example: 'What blocks readiness?',
    words: /\b(block|blocks|blocking|blocker|blockers|readiness|ready|why not)\b/gi,
    answer: async (asked) => [
      ...targetVerdict(asked),
      ...openRequirements(asked, 'required'),
      ...faults(asked),
      ...rejected(asked),
    ],
  },
  {
    id: 'missing_for_target',
    example: 'What is missing for this target?',
    words: /\b(missing|lacks?|lacking|needs?|needed|target|requirements?|profile)\b/gi,
    answer: async (asked) => [
      ...targetVerdict(asked),
      ...openRequirements(asked, 'required'),
      ...openRequirements(asked, 'helps'),
    ],
  },
  {
    id: 'look_at_first',
    example: 'Which episodes should I look at first?',
    words: /\b(which|episodes?|first|worst|look|review|inspect|start with)\b/gi,
    answer: async (asked) => worstEpisodes(asked),
  },
  {
    id: 'what_changed',
    example: 'What changed since the last run?',
    words: /\b(changed?|changes|since|new|newest|latest|last run|happened)\b/gi,
    answer: async (asked) => lastRun(asked),
  },
  {
    id: 'what_did_it_cost',
    example: 'What did it cost?',
    words: /\b(costs?|spent|spend|money|price|usd|budget|dollars?|paid)\b/gi,
    answer: costs,
  },
];

/** Numbers of the project as it is now. */
export function overview({ state: { project, summary, sources } }: Asked): readonly Sentence[] {
  const { id: project_id, decisions, episodes } = project;
  if (episodes === 0)
    return [
      {
        text: `${project.name} has ${count(sources.shown, 'source')} and no episode yet.`,
        evidence: { project_id, sources: sources.shown, episodes },
      },
    ];
  const median = summary.score.median;
  return [
    {
      text: `${project.name} has ${count(episodes, 'episode')}: ${decisions.accept} accepted, ${decisions.review} to review, ${decisions.reject} rejected${median === null ? '' : `; the median score is ${median}`}.`,
      evidence: { project_id, episodes, ...decisions, median_score: median },
    },
  ];
}

function targetVerdict({ state: { target, project } }: Asked): readonly Sentence[] {
  if (target === null)
    return [
      {
        text: `Readiness for ${project.target_profile} is not assessable: there is no episode yet.`,
        evidence: { project_id: project.id, target_profile: project.target_profile, episodes: 0 },
      },
    ];
  const met = target.requirements.filter(({ status }) => status === 'met').length;
  return [
    {
      text: `For ${target.target_profile} the project is ${target.verdict.replaceAll('_', ' ')}: ${met} of ${count(target.requirements.length, 'requirement')} are met.`,
      evidence: {
        target_profile: target.target_profile,
        verdict: target.verdict,
        met,
        of: target.requirements.length,
      },
    },
  ];
}

function openRequirements({ state: { target } }: Asked, level: 'required' | 'helps'): readonly Sentence[] {
  const open = (target?.requirements ?? []).filter((row) => row.level === level && row.status !== 'met');
  return open.map(({ id, status, reason }) => ({
    text: `${level === 'required' ? 'Required' : 'It would help'}: ${id.replaceAll('_', ' ')} is ${status.replaceAll('_', ' ')}. ${sentenceOf(reason)}`,
    evidence: { requirement: id, status },
  }));
}

function faults({ state }: Asked): readonly Sentence[] {
  return state.faults.slice(0, mostNamed).map(({ code, severity, advice, source_id }) => ({
    text: `The recordings have a finding ${code} (${severity}). ${sentenceOf(advice)}`,
    evidence: { finding: code, severity, source_id },
  }));
}

function rejected({ state: { project, summary } }: Asked): readonly Sentence[] {
  const { reject } = project.decisions;
  if (reject === 0) return [];
  const [flag] = summary.flags;
  const why =
    flag === undefined
      ? ''
      : `; the most frequent flag is ${flag.value} (${count(flag.episodes, 'episode')})`;
  return [
    {
      text: `${count(reject, 'episode is', 'episodes are')} rejected${why}.`,
      evidence: { rejected: reject, flag: flag?.value ?? null, flagged_episodes: flag?.episodes ?? 0 },
    },
  ];
}

/** What to look at first, the worst first. */
function worstEpisodes({ state: { summary, project } }: Asked): readonly Sentence[] {
  if (summary.worst.length === 0)
    return [{ text: 'There is no episode to look at.', evidence: { project_id: project.id, episodes: 0 } }];
  return summary.worst.slice(0, mostNamed).map(({ id, score, decision, flags }) => ({
    text: `Look at ${id}: ${decision}, ${score === null ? 'not scored' : `score ${score}`}${flags.length === 0 ? '' : `, flags ${flags.join(', ')}`}.`,
    evidence: { episode_id: id, score, decision, flags: flags.join(' ') },
  }));
}

/** The newest run: what it brought and how it ended. */
function lastRun({ state: { last_run: run, project } }: Asked): readonly Sentence[] {
  if (run === null) return [{ text: 'No run has been made.', evidence: { project_id: project.id, runs: 0 } }];
  const { id: run_id, status, episodes, decisions, error } = run;
  return [
    {
      text: `The newest run, ${run_id}, is ${status}: it judged ${count(episodes.judged, 'episode')} (${decisions.accept} accepted, ${decisions.review} to review, ${decisions.reject} rejected) and could not read ${episodes.unreadable}.`,
      evidence: { run_id, status, judged: episodes.judged, ...decisions, unreadable: episodes.unreadable },
    },
    ...(error === null
      ? []
      : [{ text: `It ended with ${error.code}.`, evidence: { run_id, error: error.code } }]),
  ];
}

async function costs({
  store,
  call,
  state: { project, last_run: run },
}: Asked): Promise<readonly Sentence[]> {
  const { items, window } = await getCosts(store, call, { group_by: 'project' });
  const own = items.find(({ key }) => key === project.id);
  const spent: Sentence = {
    text: `The project cost $${own?.amount_usd ?? 0} from ${window.from} to ${window.to}, in ${count(own?.charges ?? 0, 'charge')}.`,
    evidence: { project_id: project.id, amount_usd: own?.amount_usd ?? 0, charges: own?.charges ?? 0 },
  };
  if (run === null) return [spent];
  const last = {
    text: `The newest run, ${run.id}, cost $${run.cost_usd}.`,
    evidence: { run_id: run.id, cost_usd: run.cost_usd },
  };
  return [spent, last];
}

const sentenceOf = (text: string): string => {
  const whole = text.trim();
  const upper = whole.charAt(0).toUpperCase() + whole.slice(1);
  return /[.!?]$/.test(upper) ? upper : `${upper}.`;
};
