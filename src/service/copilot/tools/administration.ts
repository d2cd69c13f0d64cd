import { z } from 'zod';
import {
  createUser,
  getBudget,
  listModels,
  listUsers,
  raiseSupportQuery,
  setBudget,
} from '#service/operations';
import { changeLayers } from './annotation.ts';
import { defineTool, operationOf } from './define-tool.ts';
import { formatMoney } from './words.ts';

const getModelsOperation = operationOf('list_models');

export const getModelsTool = defineTool({
  id: 'get_models',
  title: 'Get models',
  description:
    'Lists the model surfaces (tasks) with their options, licences and benchmark evidence, the model in use for each and where it was chosen.',
  effect: 'read',
  operation: getModelsOperation,
  input: getModelsOperation,
  run: async (store, call, input) => {
    const { items, tenant_models } = await listModels(store, call, input);
    return {
      tenant_models,
      surfaces: items.map(({ options, ...surface }) => ({
        ...surface,
        options: options.map(({ weights: _, ...option }) => option),
      })),
    };
  },
});

const setModelOperation = operationOf('set_annotation_settings');

export const setModelTool = defineTool({
  id: 'set_model',
  title: 'Set a model',
  description:
    'Sets the models that a project uses: an object from surface to model, each one of the options listed by get_models. Other surfaces keep their models; an empty object resets to the choice of the tenant or use case.',
  effect: 'write',
  operation: setModelOperation,
  input: {
    params: setModelOperation.params,
    body: z.strictObject({ models: setModelOperation.body.shape.models.unwrap() }),
  },
  run: async (store, call, input) => {
    const { models } = await changeLayers(store, call, input);
    return { models: models.map(({ id, chosen }) => ({ surface: id, ...chosen })) };
  },
});

const getBudgetOperation = operationOf('get_budget');

export const getBudgetTool = defineTool({
  id: 'get_budget',
  title: 'Get the budget',
  description:
    'Returns the weekly cap in US dollars, the spending of the last seven days, the amount reserved for queued work and the remaining budget.',
  effect: 'read',
  operation: getBudgetOperation,
  input: {},
  run: getBudget,
});

const setBudgetOperation = operationOf('set_budget');
const cap = (usd: number | null): string => (usd === null ? 'no cap' : formatMoney(usd));

export const setBudgetTool = defineTool({
  id: 'set_budget',
  title: 'Set the budget',
  description:
    'Sets the maximum that the tenant may spend in any seven days, in US dollars; null removes the cap. Admins only. Requires confirmation by a person.',
  effect: 'spend',
  operation: setBudgetOperation,
  input: setBudgetOperation,
  run: setBudget,
  confirmation: async (store, call, { cap_usd }) => {
    const now = await getBudget(store, call);
    return {
      prompt: `Change the weekly budget cap of the whole tenant from ${cap(now.cap_usd)} to ${cap(cap_usd)}. Spent in the last seven days: ${formatMoney(now.spent_usd)}; reserved: ${formatMoney(now.reserved_usd)}.`,
      facts: {
        ...{ cap_usd, cap_before_usd: now.cap_usd },
        ...{ spent_usd: now.spent_usd, reserved_usd: now.reserved_usd },
      },
    };
  },
});

const listUsersOperation = operationOf('list_users');

export const listUsersTool = defineTool({
  id: 'list_users',
  title: 'List users',
  description:
    'Lists the users of the tenant with their role and whether they have accepted their invitation. Admins only.',
  effect: 'read',
  operation: listUsersOperation,
  input: listUsersOperation,
  run: listUsers,
});

const inviteUserOperation = operationOf('create_user');

export const inviteUserTool = defineTool({
  id: 'invite_user',
  title: 'Invite a user',
  description:
    'Adds a user to the tenant with a role: viewer, reviewer, engineer or admin. Admins only. The invitation token is never shown here; an admin creates a token for the user. Requires confirmation by a person.',
  effect: 'write',
  operation: inviteUserOperation,
  input: inviteUserOperation,
  run: async (store, call, input) => {
    const { user, invitation } = await createUser(store, call, input);
    return {
      user,
      invitation: { id: invitation.id, expires_at: invitation.expires_at },
      next: 'The token is secret and not shown here. An admin creates one for the user with POST /v1/tokens and this user_id.',
    };
  },
  confirmation: async (_store, _call, { email, name, role }) => ({
    prompt: `Invite ${name} (${email}) to the whole tenant with the role ${role}.${role === 'admin' ? ' Admins can invite users, create tokens and set the budget.' : ''}`,
    facts: { email, name, role },
  }),
});

const raiseSupportQueryOperation = operationOf('raise_support_query');

export const raiseSupportQueryTool = defineTool({
  id: 'raise_support_query',
  title: 'Raise a support query',
  description:
    'Sends a question to the team that operates the service, for what neither the data nor the other tools can answer. Say what was tried, and name the project if it concerns one.',
  effect: 'write',
  operation: raiseSupportQueryOperation,
  input: raiseSupportQueryOperation,
  run: raiseSupportQuery,
});
