export { askProject } from './ask-project.ts';
export { assertNoMedia } from './boundary/assert-no-media.ts';
export { withholdMediaWithin } from './boundary/withhold-media.ts';
export { getSuggestions } from './get-suggestions.ts';
export { argumentHash } from './tools/define-tool.ts';
export { tools, toolsFor } from './tools/registry.ts';
export type { Confirmation, Tool, ToolEffect } from './tools/tool.ts';
export { chat } from './turn/chat.ts';
