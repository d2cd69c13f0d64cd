export { assertNoMedia } from './boundary/assert-no-media.ts';
export { withholdWithin } from './boundary/withhold-media.ts';
export { askProject } from './context/ask-project.ts';
export { getSuggestions } from './suggestions/get-suggestions.ts';
export { argumentHash } from './tools/audit-tool.ts';
export { tools, toolsFor } from './tools/registry.ts';
export type { Confirmation, Tool, ToolEffect } from './tools/tool.ts';
export { chat } from './turn/chat.ts';
