import type { Grounds, Sentence } from './grounds.ts';
import { count, plain, sentenceOf } from './words.ts';

/** Whether the data suits its target, in one sentence. */
export function targetVerdict({ of, target }: Grounds): Sentence {
  if ('text' in target) return target;
  const { target_profile, verdict, requirements } = target;
  const met = requirements.filter(({ status }) => status === 'met').length;
  return {
    text: `For ${target_profile} it is ${plain(verdict)}: ${met} of ${count(requirements.length, 'requirement')} are met.`,
    evidence: { ...of, target_profile, verdict, met, requirements: requirements.length },
  };
}

/** Requirements of a level that are not met, or could not be assessed, each with what was seen. */
export function openRequirements({ target }: Grounds, level: 'required' | 'helps'): readonly Sentence[] {
  if ('text' in target) return [];
  return target.requirements
    .filter((row) => row.level === level && row.status !== 'met')
    .map(({ id, status, reason }) => ({
      text: `${level === 'required' ? 'Required' : 'It would help'}: ${plain(id)} is ${plain(status)}. ${sentenceOf(reason)}`,
      evidence: { target_profile: target.target_profile, requirement: id, status, reason },
    }));
}
