import { messageOf } from '#core';
import type { NotificationEvent } from '#core/api';
import type { MailServer } from '#store';
import type { AttemptResult } from './attempt.ts';

/** An email about an event. */
interface Email {
  readonly to: string;
  readonly event: NotificationEvent;
  /** Name of the subscription. */
  readonly subscription: string;
}

const subjects: Readonly<Record<NotificationEvent['type'], string>> = {
  'run.finished': 'Run finished',
  'set.not_usable': 'Recordings not usable',
  'review_queue.filled': 'Episodes to review',
  'job.failed': 'Annotation job failed',
  'budget.threshold_reached': 'Budget nearly spent',
  test: 'Test',
};

/**
 * Sends an email over SMTP. A recipient that the server refuses for good (5xx) is not tried again; every other failure
 * is.
 */
export async function sendEmail(
  server: MailServer,
  { to, event, subscription }: Email,
  limit_ms: number,
): Promise<AttemptResult> {
  const { createTransport } = await import('nodemailer');
  const { host, port, tls, login, from } = server;
  const transport = createTransport({
    ...{ host, port },
    secure: tls === 'implicit',
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'none',
    ...(login === null ? {} : { auth: { user: login.user, pass: login.password } }),
    ...{ connectionTimeout: limit_ms, greetingTimeout: limit_ms, socketTimeout: limit_ms },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
  try {
    await transport.sendMail({
      ...{ from, to },
      // The same in every attempt, so that mail programs recognise duplicates.
      messageId: `<${event.id}.${to.replace(/[^\w.-]/g, '_')}@assay>`,
      subject: `[Assay] ${subjects[event.type]}: ${event.message}`.slice(0, maxSubject_chars),
      text: textOf(event, subscription),
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    return { outcome: 'delivered', response_status: 250, error: null };
  } catch (thrown) {
    return toResult(thrown);
  } finally {
    transport.close();
  }
}

const maxSubject_chars = 200;

function textOf({ message, links, created_at }: NotificationEvent, subscription: string): string {
  return [
    message,
    '',
    links.web,
    '',
    '-- ',
    `Sent by Assay on ${created_at} because of the email subscription “${subscription}”. Admins can change it under Notifications.`,
    '',
  ].join('\n');
}

/** Errors of nodemailer name the step that failed and the answer of the server. */
interface MailError {
  readonly code?: string;
  readonly responseCode?: number;
}

function toResult(thrown: unknown): AttemptResult {
  const { code, responseCode = null } = thrown as MailError;
  const isFinal = code === 'EENVELOPE' && responseCode !== null && responseCode >= 500;
  return {
    outcome: isFinal ? 'refused' : 'failed',
    response_status: responseCode,
    error: isFinal
      ? `the mail server refused the address (${responseCode})`
      : `the mail could not be sent: ${code ?? messageOf(thrown)}`,
  };
}
