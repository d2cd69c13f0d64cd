import { createUser } from '#service/operations';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';

const operation = operationOf('create_user');

export const inviteUserTool = defineTool({
  id: 'invite_user',
  title: 'Invite a user',
  description:
    'Adds a user to the tenant with a role: viewer, reviewer, engineer or admin. For admins. The secret of the invitation is never shown here; an admin issues a token to hand over. A person confirms it first.',
  effect: 'write',
  operation,
  input: operation,
  run: async (store, call, input) => {
    const { user, invitation } = await createUser(store, call, input);
    return {
      user,
      invitation: { id: invitation.id, expires_at: invitation.expires_at },
      next: 'The token is a secret and not shown here. An admin issues one to hand over: POST /v1/tokens with this user_id.',
    };
  },
  confirmation: async (_store, _call, { email, name, role }) => ({
    prompt: `Invite ${name} (${email}) to the whole tenant with the role ${role}.${role === 'admin' ? ' An admin may invite others, issue tokens and set the budget.' : ''}`,
    facts: { email, name, role },
  }),
});
