import { listUsers } from '#service/operations';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';

const operation = operationOf('list_users');

export const listUsersTool = defineTool({
  id: 'list_users',
  title: 'List users',
  description:
    'Lists the users of the tenant with their role and whether they have accepted their invitation. For admins.',
  effect: 'read',
  operation,
  input: operation,
  run: listUsers,
});
