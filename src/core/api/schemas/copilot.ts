import { z } from 'zod';
import { idSchema, jsonSchema, nameSchema, timeSchema } from '../primitives.ts';
import { actorIdSchema } from './tenancy.ts';

const usdPerMtok = z.number().nonnegative();
const tokenPricesSchema = z.strictObject({
  prompt_usd_per_mtok: usdPerMtok,
  completion_usd_per_mtok: usdPerMtok,
});

/** Providers of the language model: the hosted router, a server with an OpenAI-compatible chat API, or none. */
const copilotProviderIds = ['openrouter', 'compatible', 'none'] as const;
const providerSchema = z.enum(copilotProviderIds);

export const copilotModelsSchema = z
  .strictObject({
    /**
     * Provider and model used if a request names none; null if there is none, so that answers are made from the
     * project's state.
     */
    active: z.strictObject({ provider: providerSchema, model: z.string() }).nullable(),
    /** True if an API key for the hosted router is configured. */
    key_configured: z.boolean(),
    /** True if answers are made without a model. */
    degraded: z.boolean(),
    /** Reason for answering without a model or by the second provider; `null` if the first provider answers. */
    reason: z.string().nullable(),
    items: z.array(
      z.strictObject({
        provider: providerSchema,
        model: z.string(),
        /** True if a request may choose it now, because the active provider has it. */
        available: z.boolean(),
        active: z.boolean(),
        /** Prices from the price list; `null` if it has none. */
        prices: tokenPricesSchema.nullable(),
        /** Prices that calls are charged by unless the provider reports a cost. */
        charged_prices: tokenPricesSchema,
        /** Source of `charged_prices`: the price list, or the price of unlisted models. */
        priced_by: z.enum(['price_list', 'fallback']),
      }),
    ),
  })
  .meta({ id: 'CopilotModels' });
export type CopilotModels = z.infer<typeof copilotModelsSchema>;

export const suggestionsSchema = z
  .strictObject({
    project_id: idSchema('prj').nullable(),
    /** Questions suggested by the project's state, most urgent first. */
    suggestions: z.array(
      z.strictObject({
        id: z.string(),
        prompt: z.string(),
        /** Facts of the state that the suggestion follows from. */
        because: z.string(),
      }),
    ),
    faqs: z.array(z.strictObject({ question: z.string(), answer: z.string() })),
  })
  .meta({ id: 'CopilotSuggestions' });
export type CopilotSuggestions = z.infer<typeof suggestionsSchema>;

/** Text of several lines without NUL and unpaired surrogates, which cannot be stored. */
const textSchema = (longest: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(longest)
    .refine(
      (value) => value.isWellFormed() && !value.includes('\0'),
      'must not contain NUL or an unpaired surrogate',
    );

export const supportQuerySchema = z
  .strictObject({
    id: idSchema('sup'),
    project_id: idSchema('prj').nullable(),
    subject: z.string(),
    message: z.string(),
    status: z.enum(['open']),
    created_at: timeSchema,
    created_by: actorIdSchema,
  })
  .meta({ id: 'SupportQuery' });
export type SupportQuery = z.infer<typeof supportQuerySchema>;

export const raiseSupportQuerySchema = z.strictObject({
  subject: nameSchema,
  message: textSchema(20_000),
  project_id: idSchema('prj').optional(),
});

export const askProjectSchema = z.strictObject({ question: textSchema(2000) });

/** Answer without a language model: the same state and question give the same sentences. */
export const projectAnswerSchema = z
  .strictObject({
    project_id: idSchema('prj'),
    question: z.string(),
    /** Id of the question that was understood; `null` if none, and the answer is a status overview. */
    shape: z.string().nullable(),
    sentences: z.array(
      z.strictObject({
        text: z.string(),
        /** Ids, codes and numbers that it rests on. */
        evidence: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
      }),
    ),
    /** Questions that can be answered. */
    questions: z.array(z.strictObject({ id: z.string(), example: z.string() })),
  })
  .meta({ id: 'ProjectAnswer' });
export type ProjectAnswer = z.infer<typeof projectAnswerSchema>;

const count = z.int().nonnegative();
const argumentHashSchema = z.string().regex(/^[0-9a-f]{64}$/);

/** Object on the user's screen, which words such as “this episode” refer to. */
const screenObjectSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('episode'), id: idSchema('ep') }),
  z.strictObject({ kind: z.literal('run'), id: idSchema('run') }),
  z.strictObject({ kind: z.literal('slice'), id: idSchema('slc') }),
]);
export type ScreenObject = z.infer<typeof screenObjectSchema>;

export const chatRequestSchema = z
  .strictObject({
    /** Messages of the chat; the last one is answered. */
    messages: z
      .array(z.strictObject({ role: z.enum(['user', 'assistant']), content: textSchema(20_000) }))
      .min(1)
      .max(100)
      .refine((messages) => messages.at(-1)?.role === 'user', 'the last message must have the role user'),
    /** Project of the chat; absent for all projects of the tenant. */
    project_id: idSchema('prj').optional(),
    /** Object on the user's screen that the last message is about; requires `project_id`, to which it must belong. */
    context: screenObjectSchema.optional(),
    /** True allows tools that delete or spend. After a `confirmation` it approves the confirmed calls only. */
    autopilot: z.boolean().default(false),
    /** Chat of the user to continue; absent for a new one. */
    thread_id: idSchema('thr').optional(),
    /** An available model of `GET /v1/copilot/models`; absent for the active one. */
    model: z.string().min(1).max(200).optional(),
    /** Ids of the approved confirmations; absent approves all. */
    approvals: z
      .array(z.strictObject({ tool: z.string().max(100), argument_hash: argumentHashSchema }))
      .max(20)
      .optional(),
  })
  .meta({ id: 'ChatRequest' });
export type ChatRequest = z.output<typeof chatRequestSchema>;

const stopReasons = [
  'complete',
  'cancelled',
  'step_limit',
  'budget_exceeded',
  'provider_error',
  'degraded',
] as const;
const stopReasonSchema = z.enum(stopReasons);
export type StopReason = z.infer<typeof stopReasonSchema>;

/** Tool round (from 1), tool name and call id. */
const ofCall = { step: z.int().positive(), tool: z.string(), call_id: z.string() };

/** Result of a tool call, as the model and the client see it. */
const toolEnvelopeSchema = z
  .discriminatedUnion('status', [
    z.strictObject({ status: z.literal('ok'), result: jsonSchema }),
    /** Rejected, failed or invalid call; nothing was changed. */
    z.strictObject({
      status: z.literal('error'),
      error: z.strictObject({
        code: z.string(),
        message: z.string(),
        advice: z.string().nullable(),
        details: z.record(z.string(), jsonSchema),
      }),
    }),
    /** Not run, because it needs a person's approval. */
    z.strictObject({
      status: z.literal('needs_confirmation'),
      argument_hash: argumentHashSchema,
      prompt: z.string(),
      facts: z.record(z.string(), jsonSchema),
    }),
  ])
  .meta({ id: 'ToolEnvelope' });
export type ToolEnvelope = z.infer<typeof toolEnvelopeSchema>;

/** Kinds of media that are not sent to a chat provider. */
const mediaKinds = ['base64', 'base85', 'bytes', 'data_uri', 'media_path'] as const;
export type MediaKind = (typeof mediaKinds)[number];

/** Events of `copilot_chat`. */
export const chatEventSchema = z.discriminatedUnion('event', [
  z.strictObject({
    event: z.literal('start'),
    data: z.strictObject({
      provider: providerSchema,
      model: z.string().nullable(),
      /** True if the active provider is configured. */
      configured: z.boolean(),
      /** True if the answer is made without a model. */
      degraded: z.boolean(),
      /** Reason for that, or for answering by the second provider. */
      reason: z.string().nullable(),
      autopilot: z.boolean(),
      /** Kinds of media that were removed from the messages before they are sent to the model; empty if none was. */
      withheld: z.array(z.enum(mediaKinds)),
      /** Facts that the answer is based on; they contain no media. */
      context: jsonSchema,
    }),
  }),
  z.strictObject({ event: z.literal('token'), data: z.strictObject({ text: z.string() }) }),
  z.strictObject({
    event: z.literal('tool_call'),
    data: z.strictObject({ ...ofCall, arguments: jsonSchema }),
  }),
  z.strictObject({
    event: z.literal('tool_result'),
    data: z.strictObject({ ...ofCall, result: toolEnvelopeSchema }),
  }),
  z.strictObject({
    event: z.literal('confirmation'),
    data: z.strictObject({
      ...ofCall,
      arguments: jsonSchema,
      argument_hash: argumentHashSchema,
      prompt: z.string(),
    }),
  }),
  z.strictObject({
    event: z.literal('usage'),
    data: z.strictObject({
      model: z.string(),
      prompt_tokens: count,
      completion_tokens: count,
      cost_usd: z.number().nonnegative(),
      /** Source of the token counts. */
      counted_by: z.enum(['provider', 'service']),
      /** Source of the cost: reported by the provider, the price list, or the price of unlisted models. */
      priced_by: z.enum(['provider', 'price_list', 'fallback']),
    }),
  }),
  z.strictObject({
    event: z.literal('error'),
    data: z.strictObject({ code: z.string(), message: z.string() }),
  }),
  z.strictObject({
    event: z.literal('done'),
    data: z.strictObject({ steps: count, stop_reason: stopReasonSchema, thread_id: idSchema('thr') }),
  }),
]);
export type ChatEvent = z.infer<typeof chatEventSchema>;

const threadFields = {
  id: idSchema('thr'),
  project_id: idSchema('prj').nullable(),
  /** Beginning of the first message. */
  title: z.string(),
  messages: count,
  created_at: timeSchema,
  updated_at: timeSchema,
};
export const threadSummarySchema = z.strictObject(threadFields).meta({ id: 'CopilotThreadSummary' });
export type ThreadSummary = z.infer<typeof threadSummarySchema>;

/** The turn that produced an assistant's message. */
export const turnFactsSchema = z.strictObject({
  provider: providerSchema,
  model: z.string().nullable(),
  steps: count,
  stop_reason: stopReasonSchema,
  tools: z.array(
    z.strictObject({ tool: z.string(), status: z.string(), argument_hash: z.string().nullable() }),
  ),
});
export type TurnFacts = z.infer<typeof turnFactsSchema>;

export const threadSchema = z
  .strictObject({
    ...threadFields,
    messages: z.array(
      z.strictObject({
        role: z.enum(['user', 'assistant']),
        content: z.string(),
        at: timeSchema,
        turn: turnFactsSchema.nullable(),
      }),
    ),
  })
  .meta({ id: 'CopilotThread' });
export type Thread = z.infer<typeof threadSchema>;
