import { z } from 'zod';
import { idSchema, nameSchema, timeSchema } from '../primitives.ts';
import { runStatusSchema } from './runs.ts';
import { actorIdSchema } from './tenancy.ts';

const count = z.int().nonnegative();
const usd = z.number().nonnegative();

/** Types of events that users can be notified of, in display order. */
export const notificationEventTypes = [
  'run.finished',
  'set.not_usable',
  'review_queue.filled',
  'job.failed',
  'budget.threshold_reached',
] as const;
export type NotificationEventType = (typeof notificationEventTypes)[number];

const eventTypeSchema = z.enum(notificationEventTypes).meta({ id: 'NotificationEventType' });

const eventFields = {
  schema: z.literal('assay/event/v1'),
  id: idSchema('evt'),
  created_at: timeSchema,
  tenant_id: idSchema('tnt'),
  /** One sentence that says what happened. */
  message: z.string(),
  links: z.strictObject({
    /** Page of the web application; a path if the operator has set no public address of the service. */
    web: z.string(),
    /** Address of the object in the API. */
    api: z.string(),
  }),
};
const projectFields = { ...eventFields, project_id: idSchema('prj') };

/** Event that a run has ended: `run.finished`. */
const runFinishedSchema = z.strictObject({
  ...projectFields,
  type: z.literal('run.finished'),
  data: z.strictObject({
    run_id: idSchema('run'),
    source_id: idSchema('src'),
    /** `rescore` evaluates stored measurements again. */
    run_type: z.enum(['assess', 'rescore']),
    status: runStatusSchema,
    episodes: count,
    decisions: z.strictObject({ accept: count, review: count, reject: count }),
    /** Error code of a failed run; null for others. */
    error_code: z.string().nullable(),
  }),
});

/** Event that the recordings of a run cannot be trained on: `set.not_usable`. */
const setNotUsableSchema = z.strictObject({
  ...projectFields,
  type: z.literal('set.not_usable'),
  data: z.strictObject({
    run_id: idSchema('run'),
    source_id: idSchema('src'),
    /** Codes of the reasons, worst first. */
    reasons: z.array(z.string()),
  }),
});

/** Event that a project whose review queue was empty has episodes to review: `review_queue.filled`. */
const reviewQueueFilledSchema = z.strictObject({
  ...projectFields,
  type: z.literal('review_queue.filled'),
  data: z.strictObject({ run_id: idSchema('run'), episodes: count }),
});

/** Event that an annotation job has failed: `job.failed`. */
const jobFailedSchema = z.strictObject({
  ...projectFields,
  type: z.literal('job.failed'),
  data: z.strictObject({
    job_id: idSchema('job'),
    /** Run that the job belongs to; null for a job of its own. */
    run_id: idSchema('run').nullable(),
    layer: z.string(),
    episodes: z.strictObject({ total: count, done: count, failed: count }),
    error_code: z.string().nullable(),
  }),
});

/** Event that 80 % of the weekly budget are spent: `budget.threshold_reached`. */
const budgetThresholdSchema = z.strictObject({
  ...eventFields,
  project_id: z.null(),
  type: z.literal('budget.threshold_reached'),
  data: z.strictObject({
    /** Share of the cap at which the event is raised. */
    threshold: z.number(),
    cap_usd: usd,
    /** Charges of the last seven days. */
    spent_usd: usd,
    reserved_usd: usd,
  }),
});

/** Event that an admin has sent to try a webhook or subscription: `test`. */
const testEventSchema = z.strictObject({
  ...eventFields,
  project_id: idSchema('prj').nullable(),
  type: z.literal('test'),
  data: z.strictObject({}),
});

/** Body of a notification. Later versions may add members; changes of existing members get another `schema`. */
export const notificationEventSchema = z
  .discriminatedUnion('type', [
    runFinishedSchema,
    setNotUsableSchema,
    reviewQueueFilledSchema,
    jobFailedSchema,
    budgetThresholdSchema,
    testEventSchema,
  ])
  .meta({ id: 'NotificationEvent' });
export type NotificationEvent = z.infer<typeof notificationEventSchema>;

/** Types of events, each once. */
const eventTypesSchema = z
  .array(eventTypeSchema)
  .min(1)
  .refine((types) => new Set(types).size === types.length, 'must not name a type twice');

const targetFields = {
  name: z.string(),
  /** Project whose events are sent; null for all projects and for events of the tenant. */
  project_id: idSchema('prj').nullable(),
  /** Types of events that are sent; null for all, including types of later versions. */
  events: z.array(eventTypeSchema).nullable(),
  /** False if no events are sent. */
  enabled: z.boolean(),
  created_at: timeSchema,
  created_by: actorIdSchema,
  updated_at: timeSchema,
};

const webhookFields = {
  id: idSchema('whk'),
  ...targetFields,
  url: z.string(),
  /** `gone`: the receiver answered 410. `null` if it is enabled, or was disabled by an admin. */
  disabled_reason: z.enum(['gone']).nullable(),
  /** Time until which deliveries are also signed with the previous secret; null if there is none. */
  previous_secret_until: timeSchema.nullable(),
};

/** A webhook without its secret, which is shown only when it is created. */
export const webhookSchema = z.strictObject(webhookFields).meta({ id: 'Webhook' });
export type Webhook = z.infer<typeof webhookSchema>;

const secretSchema = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]{43}=$/)
  .meta({
    description: 'Secret that deliveries are signed with: `whsec_` and 32 bytes in base64. Shown only once.',
  });

export const createdWebhookSchema = z
  .strictObject({ ...webhookFields, secret: secretSchema })
  .meta({ id: 'CreatedWebhook' });
export type CreatedWebhook = z.infer<typeof createdWebhookSchema>;

const urlSchema = z.url({ protocol: /^https?$/ }).max(2000);

const newTargetFields = {
  name: nameSchema,
  /** Project to limit it to. Default: the whole tenant. */
  project_id: idSchema('prj').optional(),
  /** Types of events. Default: all, including types of later versions. */
  events: eventTypesSchema.optional(),
};
const changedTargetFields = {
  name: nameSchema.optional(),
  /** Null for all, including types of later versions. */
  events: eventTypesSchema.nullable().optional(),
  enabled: z.boolean().optional(),
};
const isNotEmpty = (body: object): boolean => Object.keys(body).length > 0;

export const createWebhookSchema = z.strictObject({ ...newTargetFields, url: urlSchema });
export const updateWebhookSchema = z
  .strictObject({ ...changedTargetFields, url: urlSchema.optional() })
  .refine(isNotEmpty, 'name, url, events or enabled is required');

const emailSchema = z.email().max(254);

/** A subscription of an email address to events. */
export const emailSubscriptionSchema = z
  .strictObject({ id: idSchema('sbs'), ...targetFields, email: z.string() })
  .meta({ id: 'EmailSubscription' });
export type EmailSubscription = z.infer<typeof emailSubscriptionSchema>;

export const createEmailSubscriptionSchema = z.strictObject({ ...newTargetFields, email: emailSchema });
export const updateEmailSubscriptionSchema = z
  .strictObject(changedTargetFields)
  .refine(isNotEmpty, 'name, events or enabled is required');

export const deliveryStatusSchema = z.enum(['pending', 'delivered', 'failed']);

/** One event on its way to a webhook or an email address. */
export const deliverySchema = z
  .strictObject({
    id: idSchema('dlv'),
    event: notificationEventSchema,
    /** `pending` until an attempt succeeds or the last one fails. */
    status: deliveryStatusSchema,
    attempts: count,
    /** HTTP or SMTP status of the last attempt; null if there was no answer. */
    response_status: z.int().nullable(),
    /** Duration of the last attempt. */
    duration_ms: count.nullable(),
    /** Reason why the last attempt failed; null if it succeeded. */
    error: z.string().nullable(),
    created_at: timeSchema,
    last_attempt_at: timeSchema.nullable(),
    /** Null once it is delivered or has failed. */
    next_attempt_at: timeSchema.nullable(),
    /** Delivery that this one repeats; null for the first. */
    redelivery_of: idSchema('dlv').nullable(),
  })
  .meta({ id: 'NotificationDelivery' });
export type NotificationDelivery = z.infer<typeof deliverySchema>;
