export { askProject } from './ask-project.ts';
export { assertNoMedia } from './boundary/assert-no-media.ts';
export { withholdMediaWithin } from './boundary/withhold-media.ts';
export { chat } from './chat.ts';
export { getSuggestions } from './get-suggestions.ts';
export { argumentHash, type Confirmation, type Tool, type ToolEffect } from './tools/define-tool.ts';
export { tools, toolsFor } from './tools/registry.ts';
