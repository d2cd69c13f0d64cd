import type { CopilotSuggestions } from '#core/api';

/** Questions that any project raises. */
export const faqs: CopilotSuggestions['faqs'] = [
  {
    question: 'Do pictures or video reach the chat provider?',
    answer:
      'No. Only metadata does: names, numbers, ids, texts. Bytes, base64 and paths of media files are refused before a model is asked.',
  },
  {
    question: 'What may the copilot do without asking me?',
    answer:
      'It reads what your role may read. What destroys or spends waits for your yes, to that tool with those arguments.',
  },
  {
    question: 'What do accept, review and reject mean?',
    answer:
      'Accept: fit to train on by every check that could be made. Reject: something blocks, or the score is too low. Review: a person should look.',
  },
  {
    question: 'What is a receipt?',
    answer:
      'What was measured and decided of one episode, canonical and hashed. `assay verify` re-derives the hash offline.',
  },
  {
    question: 'Why does a check say not assessable?',
    answer:
      'It should apply and could not be measured; the reason stands beside it. It counts neither as zero nor as a pass.',
  },
  {
    question: 'What does an answer of the copilot cost?',
    answer:
      'What its provider’s tokens cost by the price list. Each call is reserved in the weekly budget first and charged as measured; `GET /v1/costs` lists it under the layer `copilot`.',
  },
];
