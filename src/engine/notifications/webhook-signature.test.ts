import { expect, test } from 'vitest';
import { newWebhookSecret, signWebhook } from './webhook-signature.ts';

test('signs the example of the Standard Webhooks libraries as they do', () => {
  const message = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    sent_at: new Date(1_614_265_330_000),
    body: '{"test": 2432232314}',
  };
  expect(signWebhook(message, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])).toEqual({
    'webhook-id': message.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('signs with each secret, separated by a space', () => {
  const message = { id: 'evt_1', sent_at: new Date(), body: '{}' };
  const [one, two] = [newWebhookSecret(), newWebhookSecret()];
  const signature = (secrets: string[]) => signWebhook(message, secrets)['webhook-signature'];
  expect(signature([one, two])).toBe(`${signature([one])} ${signature([two])}`);
  expect(one).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});
