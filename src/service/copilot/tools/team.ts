import { createUser, listUsers, raiseSupportQuery } from '#service/operations';
import { defineTool, operationOf } from './define-tool.ts';

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
