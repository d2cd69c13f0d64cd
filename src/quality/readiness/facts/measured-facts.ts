import type { ReceiptFacts } from '#core/api';
import type { Subject } from '../check.ts';
import { contentLagFacts } from './content-lag-facts.ts';
import { timelineFacts } from './timeline-facts.ts';

/** What certification reads of an episode and no check grades; members in the order of their names. */
export function measuredFacts(subject: Subject): ReceiptFacts {
  const pair = subject.features.pair();
  const timeline = timelineFacts(subject);
  const content_lag = contentLagFacts(subject);
  return {
    ...(content_lag === null ? {} : { content_lag }),
    ...(pair === null ? {} : { same_rows: pair.same_rows }),
    ...(timeline === null ? {} : { timeline }),
  };
}
