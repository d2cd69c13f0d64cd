import type { NotificationEventType } from '#client';

/** Titles of the types of events, in display order. */
export const eventTitles: Readonly<Record<NotificationEventType, string>> = {
  'run.finished': 'Run finished',
  'set.not_usable': 'Recordings not usable',
  'review_queue.filled': 'Review queue filled',
  'job.failed': 'Annotation job failed',
  'budget.threshold_reached': 'Budget 80 % spent',
};

export const eventTypes = Object.keys(eventTitles) as readonly NotificationEventType[];
