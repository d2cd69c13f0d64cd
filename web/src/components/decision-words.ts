export type Decision = 'accept' | 'review' | 'reject';

export const decisions: readonly Decision[] = ['accept', 'review', 'reject'];
export const decisionWords: Readonly<Record<Decision, string>> = {
  accept: 'Accept',
  review: 'Review',
  reject: 'Reject',
};
