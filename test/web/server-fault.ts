import type { Route } from 'playwright-core';

/** Id of the request in the answer of `answerWithFault`. */
export const faultRequest_id = 'req_00000000000000000000000500';

/** Answers a request as a service does that failed: with 500 and a problem document. */
export const answerWithFault = (route: Route) =>
  route.fulfill({
    status: 500,
    headers: { 'content-type': 'application/problem+json', 'x-request-id': faultRequest_id },
    body: JSON.stringify({
      type: 'about:blank',
      title: 'Internal error',
      status: 500,
      code: 'internal',
      detail: 'something went wrong inside',
      advice: null,
      instance: '/',
      request_id: faultRequest_id,
      retryable: false,
    }),
  });
