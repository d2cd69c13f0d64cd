import { z } from 'zod';
import { updateProject } from '#service/operations';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';

const operation = operationOf('update_project');

export const setTargetProfileTool = defineTool({
  id: 'set_target_profile',
  title: 'Set the target profile',
  description:
    'Sets what a project’s data is for, such as vla or detector. It decides which layers run by default, which export format is recommended and what target readiness asks for. open_project tells the present one.',
  effect: 'write',
  operation,
  input: {
    params: operation.params,
    body: z.strictObject({ target_profile: operation.body.shape.target_profile.unwrap() }),
  },
  run: updateProject,
});
